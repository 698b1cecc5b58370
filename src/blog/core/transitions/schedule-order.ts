import type { Blog, BlogFilter } from '../blog.schema.js';
import type { Schedule } from '../review.schema.js';
import type { TransitionDetails } from './transition.js';

type Times = Pick<TransitionDetails, 'publishAt' | 'unpublishAt'>;

/**
 * The filter for blogs whose stored schedule is in order with a new time: a blog is published before
 * it is unpublished. Both times together replace the stored ones, so any schedule will do.
 */
export function scheduleOrderFilter({ publishAt, unpublishAt }: Times): BlogFilter {
  if (publishAt && unpublishAt) return {};
  // `$not` also matches a missing time.
  if (publishAt) return { 'schedule.unpublish.at': { $not: { $lte: publishAt } } };
  if (unpublishAt) return { 'schedule.publish.at': { $not: { $gte: unpublishAt } } };
  return {};
}

/**
 * The stored time that is not in order with a new one, if any; the negation of
 * `scheduleOrderFilter`.
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
