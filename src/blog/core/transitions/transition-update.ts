import type { Types } from 'mongoose';
import type { WorkingCopyChanges } from '../blog-fields.js';
import type { UpdateStage } from '../blog.schema.js';
import { appendEvent } from '../../history/event-stages.js';
import { keepRevision } from '../../revisions/store/revision-stages.js';
import type { TransitionDetails } from './transition.js';
import { transitionOf, type TransitionName } from './transition-table.js';

export interface TransitionUpdate {
  readonly now: Date;
  /** The user who makes the transition. */
  readonly actor: Types.ObjectId;
  /** The edited fields, for `edit` and `correct`, and the slug for `undelete`; null removes a field. */
  readonly changes?: WorkingCopyChanges;
  readonly details?: TransitionDetails;
  /**
   * Number of revisions that a blog keeps (`REVISIONS_KEEP`); needed by a transition that keeps
   * one.
   */
  readonly revisionsKept?: number;
}

/**
 * The update pipeline of a transition: it appends the event, changes the state, stores the edited fields,
 * keeps the revision and the schedule, and sets what every write sets (slugs, revision, time, user).
 */
export function updateOf(name: TransitionName, update: TransitionUpdate): UpdateStage[] {
  const { now, actor, changes = {}, details = {}, revisionsKept = 1 } = update;
  const { to, touches, keepsSchedule, keepsContent, removesIfAuthorDeleted } = transitionOf(name);
  const edits = Object.entries(changes).map(([field, value]) => [field, editOf(field, value)]);
  const keeps = keepsContent || name === 'publish';
  return [
    appendEvent(name, { by: actor, at: now, to, details }),
    ...transitionOf(name).update({ now, actor, details }),
    ...(edits.length > 0 ? [{ $set: Object.fromEntries(edits) as object }] : []),
    ...(keeps ? [keepRevision(name, { now, actor, ...details, revisionsKept })] : []),
    ...(name === 'edit' ? [] : scheduleStages(keepsSchedule)),
    ...(removesIfAuthorDeleted ? [PURGE_IF_AUTHOR_DELETED] : []),
    {
      $set: {
        slugs: {
          $cond: [
            { $eq: ['$status', false] },
            [],
            // A blog without `live` has no live slug: `['$live.slug']` would be [null] for it.
            {
              $setUnion: [
                ['$slug'],
                [{ $ifNull: ['$live.slug', '$slug'] }],
                { $ifNull: ['$formerSlugs', []] },
              ],
            },
          ],
        },
        rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] },
        ...(touches ? { updatedAt: now } : {}),
        updatedBy: actor,
      },
    },
  ];
}

const PURGE_IF_AUTHOR_DELETED: UpdateStage = {
  $set: { purging: { $cond: [{ $eq: ['$authorLeft', true] }, true, '$purging'] } },
};

/**
 * Clears scheduled times that can no longer apply. A publication is cleared when its revision is no
 * longer the submitted one. An end is cleared when the blog is not live and will not be published.
 */
export function scheduleStages(keepsPublication: boolean): UpdateStage[] {
  const publish = keepsPublication ? '$schedule.publish' : '$$REMOVE';
  const isKept = keepsPublication
    ? { $or: ['$published', { $gt: ['$schedule.publish.at', null] }] }
    : '$published';
  const unpublish = { $cond: [isKept, '$schedule.unpublish', '$$REMOVE'] };
  const due = { $min: ['$schedule.publish.at', '$schedule.unpublish.at'] };
  return [
    // `$mergeObjects` builds the new value as a whole: $set would merge an object with the stored
    // one.
    { $set: { schedule: { $mergeObjects: [{ publish, unpublish }] } } },
    {
      $set: {
        dueAt: { $ifNull: [due, '$$REMOVE'] },
        schedule: { $cond: [{ $gt: [due, null] }, '$schedule', '$$REMOVE'] },
      },
    },
  ];
}

function editOf(field: string, value: unknown): unknown {
  if (value === null) return '$$REMOVE';
  // $literal keeps MongoDB from reading a text such as `$title` as a path.
  const literal = { $literal: value };
  if (field !== 'htmlVersion') return literal;
  // `htmlVersion` applies to `draftText` and to `text`. An edit cleans only `draftText`. If there is a
  // `text` of another version, both become 0, which no policy has: either is cleaned when it is served.
  const isForBoth = { $or: [{ $lte: ['$text', null] }, { $eq: ['$htmlVersion', literal] }] };
  return { $cond: [isForBoth, literal, 0] };
}
