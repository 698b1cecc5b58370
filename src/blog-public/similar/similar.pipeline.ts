import type { PipelineStage, Types } from 'mongoose';
import { IS_LIVE, IS_PUBLIC, type LiveBlog } from '../../blog/blog.schema.js';
import { LISTING_ITEM_FIELDS } from '../../blog/views/listing-item.view.js';
import type { SimilarTerm } from './similar-candidates.js';
import { unionOf, type Stage } from '../reads/union.js';

const RESULTS_MAX = 6;
/** A tag is the author's own word for the subject; a shared word may be chance. */
const TAG_WEIGHT = 3;

export type SimilarSource = Pick<LiveBlog, 'tagKeys' | 'titleWords' | 'descriptionWords'>;

interface SearchedTerm extends SimilarTerm {
  readonly match: Readonly<Record<string, string>>;
}

/** Those that have an index: the words of the description only count. */
export function termsOf(live: SimilarSource): SearchedTerm[] {
  return [
    ...live.tagKeys.map((key) => ({ match: { 'live.tagKeys': key }, weight: TAG_WEIGHT })),
    ...live.titleWords.map((word) => ({ match: { 'live.titleWords': word }, weight: 1 })),
  ];
}

/**
 * Reads the ids of the newest live blogs of every term from the keys of its index: no document is
 * fetched.
 *
 * @param terms at least one
 * @param share how many of each term
 * @returns a pipeline that answers with CandidateList
 */
export function candidatesPipeline(terms: readonly SearchedTerm[], share: number): PipelineStage[] {
  const stages = [
    ...unionOf(terms.map(({ match }, term) => newest(match, term, share))),
    // Decoding a few long lists costs less than decoding each id in a document of its own.
    { $group: { _id: '$term', ids: { $push: '$_id' } } },
  ];
  // The stages are built from data, which the literal types of PipelineStage cannot follow.
  return stages as unknown as PipelineStage[];
}

/**
 * Scores blogs by all that they share, and answers with the best. What was taken down or changed
 * since the candidates were read counts as it is now.
 */
export function scoringPipeline(
  ids: readonly Types.ObjectId[],
  live: SimilarSource,
): PipelineStage[] {
  const words = [...new Set([...live.titleWords, ...live.descriptionWords])];
  const theirWords = { $concatArrays: ['$live.titleWords', '$live.descriptionWords'] };
  return [
    { $match: { _id: { $in: ids }, ...IS_LIVE } },
    {
      $set: {
        match: {
          $add: [
            { $multiply: [TAG_WEIGHT, shared('$live.tagKeys', live.tagKeys)] },
            shared(theirWords, words),
          ],
        },
      },
    },
    { $match: { match: { $gt: 0 } } },
    { $sort: { match: -1, 'live.at': -1, _id: -1 } },
    { $limit: RESULTS_MAX },
    { $project: Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1])) },
  ];
}

/** The id is in the index and the term's number a constant, so that the keys say all of it. */
function newest(match: SearchedTerm['match'], term: number, share: number): Stage[] {
  return [
    { $match: { ...match, ...IS_PUBLIC } },
    { $sort: { 'live.at': -1, _id: -1 } },
    { $limit: share },
    { $project: { term: { $literal: term } } },
  ];
}

/**
 * How many of the terms, which are distinct, the array holds: all but those that it lacks. The
 * intersection would say the same, and build two sets for each blog instead of one.
 */
function shared(array: unknown, terms: readonly string[]): { $subtract: unknown[] } {
  const lacking = { $setDifference: [{ $literal: terms }, array] };
  return { $subtract: [terms.length, { $size: lacking }] };
}
