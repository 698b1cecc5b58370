import type { Types } from 'mongoose';
import { isStoredOnce, type WorkingCopyChanges } from '../blog-fields.js';
import type { Blog, UpdateStage } from '../blog.schema.js';
import { appendEvent } from '../../history/event-stages.js';
import { COUNTED_BEFORE, publicChangeStages } from '../../public/counts/public-change.js';
import { addRevision } from '../../revisions/store/revision-stages.js';
import type { TransitionDetails, TransitionedBlog } from './transition.js';
import { slugAfterEdit, slugAfterReplacement } from '../text/slugs/generated-slug.js';
import { clearedTimeWarnings, scheduleStages } from './schedule-stages.js';
import { transitionOf, type TransitionName } from './transition-table.js';

export interface TransitionUpdate {
  readonly now: Date;
  /** The user who makes the transition. */
  readonly actor: Types.ObjectId;
  /** Whom the event names instead of `actor`; null for the server itself. */
  readonly by?: Types.ObjectId | null;
  /** The edited fields, for `edit` and `correct`, and the slug for `undelete`; null removes a field. */
  readonly changes?: WorkingCopyChanges;
  readonly details?: TransitionDetails;
  /**
   * Number of revisions that a blog keeps (`REVISIONS_KEEP`). Only a transition that adds a
   * revision needs it.
   */
  readonly revisionsKept?: number;
}

/**
 * The update pipeline of a transition. It stores the edited fields, which may decide the state, appends
 * the event, changes the state, adds the revision, clears the scheduled times that no longer apply, marks a blog that is to
 * be removed, sets what every write sets (slugs, revision number, time, user), and stores the
 * change of derived records.
 */
export function updateOf(name: TransitionName, update: TransitionUpdate): UpdateStage[] {
  const { now, actor, by = actor, changes = {}, details = {}, revisionsKept = 1 } = update;
  const { touches, keepsSchedule, revision, removesIfAuthorDeleted, isPublic } = transitionOf(name);
  const edits = editsOf(name, changes, details);
  return [
    ...(isPublic ? [COUNTED_BEFORE] : []),
    ...(Object.keys(edits).length > 0 ? [{ $set: edits }] : []),
    appendEvent(name, { ...transitionOf(name), by, at: now, details }),
    ...transitionOf(name).update({ now, actor, details }),
    ...(revision === 'none' ? [] : [addRevision(name, { now, actor, ...details, revisionsKept })]),
    ...(keepsSchedule ? [] : scheduleStages(false)),
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
        updatedBy: by ?? '$updatedBy',
      },
    },
    ...(isPublic ? publicChangeStages(now, details.spellings) : []),
  ];
}

/**
 * The blog that the caller of a transition gets.
 *
 * @param blog the blog after the transition, or before it, as TRANSITIONS says
 * @param before the blog before the transition, if `blog` is not; needed for warnings
 */
export function resultOf(
  name: TransitionName,
  blog: Blog,
  now: Date,
  before?: Pick<Blog, 'schedule'>,
): TransitionedBlog {
  const { result } = transitionOf(name);
  if (result === 'after') {
    const warnings = before ? clearedTimeWarnings(transitionOf(name), before, blog) : [];
    return { ...blog, warnings };
  }
  // The result has no schedule, because unpublishing a blog also clears its schedule.
  const { schedule, dueAt, ...others } = blog;
  const after = { ...others, ...result(blog), rev: blog.rev + 1, updatedAt: now };
  const cleared = clearedTimeWarnings(transitionOf(name), blog, {});
  return { ...after, warnings: [...(blog.submitted ? [SUBMISSION_ENDED] : []), ...cleared] };
}

const SUBMISSION_ENDED = {
  field: 'submitted',
  message: 'what was in review is a draft again: its author may submit it',
} as const;

const PURGE_IF_AUTHOR_DELETED: UpdateStage = {
  $set: { purging: { $cond: [{ $eq: ['$authorLeft', true] }, true, '$purging'] } },
};

function editsOf(
  name: TransitionName,
  { slug, ...changes }: WorkingCopyChanges,
  { generatedSlug }: TransitionDetails,
): object {
  const edits = Object.entries(changes).map(([field, value]) => [field, editOf(field, value)]);
  const slugs =
    transitionOf(name).fromTrash && slug !== undefined
      ? slugAfterReplacement(slug)
      : slugAfterEdit({ title: changes.title, slug, generatedSlug });
  return { ...(Object.fromEntries(edits) as object), ...slugs };
}

function editOf(field: string, value: unknown): unknown {
  if (value === null) return '$$REMOVE';
  // $literal keeps MongoDB from reading a text such as `$title` as a path.
  const literal = { $literal: value };
  if (!isStoredOnce(field)) return literal;
  // `htmlVersion` applies to the draft and to the published `text`, but an edit changes only the draft.
  // If the blog has a published `text` of a different version, the field becomes 0, which no HTML
  // policy has, so both texts are cleaned when they are served.
  const isForBoth = { $or: [{ $lte: ['$text', null] }, { $eq: [`$${field}`, literal] }] };
  return { $cond: [isForBoth, literal, 0] };
}
