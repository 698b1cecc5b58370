import type { PipelineStage, Types } from 'mongoose';
import { IS_LIVE, IS_PUBLIC, type LiveBlog } from '../../core/blog.schema.js';
import { LISTING_ITEM_FIELDS } from '../../core/views/listing-item.view.js';
import type { SimilarTerm } from './similar-candidates.js';
import { unionOf, type Stage } from '../../core/lists/union.js';

const RESULTS_MAX = 6;
/**
 * Weight of a shared tag: three times that of a shared word, because two titles may share a word by
 * chance.
 */
const TAG_WEIGHT = 3;

export type SimilarSource = Pick<LiveBlog, 'tagKeys' | 'titleWords' | 'descriptionWords'>;

interface SearchedTerm extends SimilarTerm {
  readonly match: Readonly<Record<string, string>>;
}

/** The terms to search by. Words of the description have no index, and only add to the score. */
export function searchTermsOf(live: SimilarSource): SearchedTerm[] {
  return [
    ...live.tagKeys.map((key) => ({ match: { 'live.tagKeys': key }, weight: TAG_WEIGHT })),
    ...live.titleWords.map((word) => ({ match: { 'live.titleWords': word }, weight: 1 })),
  ];
}

/**
 * Finds the newest live blogs with each term, and when they were published. It reads index keys and
 * fetches no document.
 *
 * @param terms at least one
 * @param limitPerTerm largest number of ids per term
 * @returns a pipeline whose results are CandidateList
 */
export function candidatesPipeline(
  terms: readonly SearchedTerm[],
  limitPerTerm: number,
): PipelineStage[] {
  const newestOfEach = terms.map(({ match }, term) => newest(match, term, limitPerTerm));
  // A few long lists are decoded faster than a document for each id.
  return unionOf(newestOfEach, {
    $group: { _id: '$term', ids: { $push: '$_id' }, times: { $push: '$live.at' } },
  });
}

/**
 * Scores candidates by their tags, title and description, and returns the best six. It reads their
 * present versions: a candidate that was unpublished meanwhile is left out.
 */
export function scoringPipeline(
  ids: readonly Types.ObjectId[],
  live: SimilarSource,
): PipelineStage[] {
  const words = [...new Set([...live.titleWords, ...live.descriptionWords])];
  const candidateWords = { $concatArrays: ['$live.titleWords', '$live.descriptionWords'] };
  return [
    { $match: { _id: { $in: ids }, ...IS_LIVE } },
    {
      $set: {
        similarity: {
          $add: [
            { $multiply: [TAG_WEIGHT, sharedCount('$live.tagKeys', live.tagKeys)] },
            sharedCount(candidateWords, words),
          ],
        },
      },
    },
    { $match: { similarity: { $gt: 0 } } },
    { $sort: { similarity: -1, 'live.at': -1, _id: -1 } },
    { $limit: RESULTS_MAX },
    { $project: Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1])) },
  ];
}

/**
 * Reads the newest blogs of a term. It projects fields of the index and a constant only, so that
 * MongoDB fetches no document.
 */
function newest(match: SearchedTerm['match'], term: number, limitPerTerm: number): Stage[] {
  return [
    { $match: { ...match, ...IS_PUBLIC } },
    { $sort: { 'live.at': -1, _id: -1 } },
    { $limit: limitPerTerm },
    { $project: { 'live.at': 1, term: { $literal: term } } },
  ];
}

/**
 * Counts the terms that an array holds: all terms less those that it lacks. `$setIntersection` would
 * give the same number, but MongoDB would build two sets for each blog instead of one.
 *
 * @param terms distinct
 */
function sharedCount(array: unknown, terms: readonly string[]): { $subtract: unknown[] } {
  const lacking = { $setDifference: [{ $literal: terms }, array] };
  return { $subtract: [terms.length, { $size: lacking }] };
}
