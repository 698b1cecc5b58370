import type { Blog, BlogFilter } from '../blog.schema.js';
import type { Schedule } from '../review.schema.js';
import type { TransitionDetails } from './transition.js';

type Times = Pick<TransitionDetails, 'publishAt' | 'unpublishAt'>;

/**
 * The filter for blogs whose stored schedule allows a new time: a blog must be published before it
 * is unpublished. If both times are new, they replace the stored schedule, so every blog matches.
 */
export function scheduleOrderFilter({ publishAt, unpublishAt }: Times): BlogFilter {
  if (publishAt && unpublishAt) return {};
  // `$not` also matches a missing time.
  if (publishAt) return { 'schedule.unpublish.at': { $not: { $lte: publishAt } } };
  if (unpublishAt) return { 'schedule.publish.at': { $not: { $gte: unpublishAt } } };
  return {};
}

/**
 * The scheduled transition whose stored time contradicts a new time; null if there is none. This is
 * the negation of `scheduleOrderFilter`.
 */
export function conflictingTime(
  { schedule = {} }: Blog,
  { publishAt, unpublishAt }: Times,
): keyof Schedule | null {
  if (publishAt && unpublishAt) return null;
  if (publishAt && schedule.unpublish && schedule.unpublish.at <= publishAt) return 'unpublish';
  if (unpublishAt && schedule.publish && schedule.publish.at >= unpublishAt) return 'publish';
  return null;
}
