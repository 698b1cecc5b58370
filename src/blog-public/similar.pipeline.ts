import type { PipelineStage } from 'mongoose';
import type { LiveBlog } from '../blog/schemas/blog.schema.js';
import { LISTING_ITEM_FIELDS } from '../blog/views/listing-item.view.js';

/**
 * Records looked at for one answer, over all terms. Each costs the database about 25 microseconds, and
 * the six best are rarely among the older ones.
 */
const MAX_CANDIDATES = 280;
const MAX_RESULTS = 6;
/** A tag is the author's own word for the subject; a shared word may be chance. */
const TAG_WEIGHT = 3;

export type SimilarSource = Pick<LiveBlog, 'tagKeys' | 'titleWords' | 'descriptionWords'>;

/**
 * Scores the newest live blogs that share a tag or a word of the title. Every term has an equal
 * share of the candidates, so that a common tag cannot crowd out a rare one.
 *
 * @returns null when the blog has neither tags nor words, and so nothing is similar to it
 */
export function similarPipeline(id: unknown, live: SimilarSource): PipelineStage[] | null {
  const terms = [
    ...live.tagKeys.map((term) => ({ 'live.tagKeys': term })),
    ...live.titleWords.map((term) => ({ 'live.titleWords': term })),
  ];
  const share = Math.floor(MAX_CANDIDATES / Math.max(1, terms.length));
  const [first, ...others] = terms.map((term) => candidates(term, share));
  if (!first) return null;
  const words = [...new Set([...live.titleWords, ...live.descriptionWords])];
  const stages: Record<string, unknown>[] = [
    ...first,
    ...others.map((pipeline) => ({ $unionWith: { coll: 'blogs', pipeline } })),
    { $match: { _id: { $ne: id } } },
    { $group: { _id: '$_id', blog: { $first: '$$ROOT' } } },
    { $replaceWith: '$blog' },
    {
      $set: {
        match: {
          $add: [
            { $multiply: [TAG_WEIGHT, shared('$live.tagKeys', live.tagKeys)] },
            shared({ $setUnion: ['$live.titleWords', '$live.descriptionWords'] }, words),
          ],
        },
      },
    },
    { $sort: { match: -1, 'live.at': -1, _id: -1 } },
    { $limit: MAX_RESULTS },
    { $project: Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1])) },
  ];
  // The stages are built from data, which the literal types of PipelineStage cannot follow.
  return stages as unknown as PipelineStage[];
}

function candidates(term: Record<string, string>, share: number): Record<string, unknown>[] {
  return [
    { $match: term },
    { $sort: { 'live.at': -1, _id: -1 } },
    { $limit: share },
    { $project: { live: 1, score: 1 } },
  ];
}

function shared(field: unknown, terms: readonly string[]): Record<string, unknown> {
  return { $size: { $setIntersection: [field, { $literal: terms }] } };
}
