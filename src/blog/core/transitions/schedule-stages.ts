import type { Types } from 'mongoose';
import type { UpdateStage } from '../blog.schema.js';
import type { Schedule } from '../review.schema.js';
import type { TransitionDetails } from './transition.js';

/** Sets the given times of the schedule, and who set them; keeps the other. */
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

/**
 * Clears what can no longer happen: a publication of a revision that is no longer submitted as it was,
 * and the end of a publication that neither is nor will be.
 */
export function scheduleStages(keepsPublication: boolean): UpdateStage[] {
  const publish = keepsPublication ? '$schedule.publish' : '$$REMOVE';
  const isKept = keepsPublication
    ? { $or: ['$published', { $gt: ['$schedule.publish.at', null] }] }
    : '$published';
  const unpublish = { $cond: [isKept, '$schedule.unpublish', '$$REMOVE'] };
  const due = { $min: ['$schedule.publish.at', '$schedule.unpublish.at'] };
  return [
    // `$mergeObjects` makes it one value: $set would merge an object with the stored one.
    { $set: { schedule: { $mergeObjects: [{ publish, unpublish }] } } },
    {
      $set: {
        dueAt: { $ifNull: [due, '$$REMOVE'] },
        schedule: { $cond: [{ $gt: [due, null] }, '$schedule', '$$REMOVE'] },
      },
    },
  ];
}
