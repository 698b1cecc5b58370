import type { Types } from 'mongoose';
import type { FieldWarning } from '../../../platform/http/envelope/envelope.js';
import type { Blog, BlogFilter, UpdateStage } from '../blog.schema.js';
import type { Schedule } from '../review.schema.js';
import type { Transition, TransitionDetails } from './transition.js';

/** Sets the given times of the schedule, and who set them; keeps a time that is not given. */
export function setTimes(
  { publishAt, unpublishAt }: Pick<TransitionDetails, 'publishAt' | 'unpublishAt'>,
  by: Types.ObjectId,
): UpdateStage[] {
  const times: Schedule = {
    ...(publishAt ? { publish: { at: publishAt, by } } : {}),
    ...(unpublishAt ? { unpublish: { at: unpublishAt, by } } : {}),
  };
  return [{ $set: { schedule: { $mergeObjects: ['$schedule', times] } } }, ...scheduleStages(true)];
}

/** Passes the scheduled unpublication on to an ADMIN. Its time stays. */
export function passUnpublication(admin: Types.ObjectId): UpdateStage {
  const unpublish = { at: '$schedule.unpublish.at', by: admin, passed: true };
  return { $set: { schedule: { $mergeObjects: ['$schedule', { unpublish }] } } };
}

/**
 * Clears the times of the schedule that no longer apply: the publication, unless it is kept, and
 * the unpublishing of a blog that is not live and has no scheduled publication. Then `dueAt` becomes
 * the earliest time that is left.
 */
export function scheduleStages(keepsPublication: boolean): UpdateStage[] {
  const publish = keepsPublication ? '$schedule.publish' : '$$REMOVE';
  const keepsUnpublishing = keepsPublication
    ? { $or: ['$published', { $gt: ['$schedule.publish.at', null] }] }
    : '$published';
  return storeTimes(publish, { $cond: [keepsUnpublishing, '$schedule.unpublish', '$$REMOVE'] });
}

/**
 * Clears the scheduled publication alone. The unpublication stays even if the blog is not live: whoever publishes it
 * later may not know that a licence ends.
 */
export function clearPublication(): UpdateStage[] {
  return storeTimes('$$REMOVE', '$schedule.unpublish');
}

/** Stores the times that these expressions give, and the earlier one as `dueAt`. */
function storeTimes(publish: string, unpublish: string | object): UpdateStage[] {
  const due = { $min: ['$schedule.publish.at', '$schedule.unpublish.at'] };
  return [
    // `$mergeObjects` makes this object replace the stored one: `$set` would merge a plain object
    // into it.
    { $set: { schedule: { $mergeObjects: [{ publish, unpublish }] } } },
    {
      $set: {
        dueAt: { $ifNull: [due, '$$REMOVE'] },
        schedule: { $cond: [{ $gt: [due, null] }, '$schedule', '$$REMOVE'] },
      },
    },
  ];
}

const TIMES = ['publish', 'unpublish'] as const satisfies (keyof Schedule)[];

/** The filter for blogs whose schedule has these times only. */
export function hasTimes(schedule: Schedule | undefined): BlogFilter {
  // Null also matches a missing time.
  const times = TIMES.map((name) => [`schedule.${name}.at`, schedule?.[name]?.at ?? null]);
  return Object.fromEntries(times) as BlogFilter;
}

/** Whether the schedule has to be read before the write, to know which times the write has cleared. */
export function needsSchedule({ keepsSchedule, endsTimes, result }: Transition): boolean {
  return !keepsSchedule && endsTimes.length < TIMES.length && result === 'after';
}

/** Warnings of the scheduled times that a transition has cleared, except those that it is meant to end. */
export function clearedTimeWarnings(
  { endsTimes }: Transition,
  before: Pick<Blog, 'schedule'>,
  after: Pick<Blog, 'schedule'>,
): FieldWarning[] {
  return TIMES.flatMap((name) => {
    const time = before.schedule?.[name];
    if (!time || after.schedule?.[name] || endsTimes.includes(name)) return [];
    const message = `what was scheduled for ${time.at.toISOString()} was cleared: an editor may schedule it again`;
    return [{ field: `${name}At`, message }];
  });
}
