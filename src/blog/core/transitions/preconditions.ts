import { isDeepStrictEqual } from 'node:util';
import type { Types } from 'mongoose';
import { FIELD_NAMES, type BlogFieldName, type WorkingCopyChanges } from '../blog-fields.js';
import { IN_TRASH, type Blog, type BlogFilter } from '../blog.schema.js';
import { contributorsOf, liveContributorsOf } from '../../contributors/contributors.js';
import { stateFilter, stateOf } from '../blog.state.js';
import { IS_UNEDITED, isUnedited } from './live-version.js';
import type { StoredState } from './transition.js';
import { transitionOf, type TransitionName } from './transition-table.js';

/** The filter for blogs that allow the transition: those for which `isFoundBy` and `isAllowed` hold. */
export function preconditionOf(name: TransitionName): BlogFilter {
  const { from, allowsHidden, fromTrash } = transitionOf(name);
  if (fromTrash) return IN_TRASH;
  const undeleted = { status: true, ...stateFilter(from) };
  return allowsHidden ? { $or: [undeleted, { live: { $exists: true } }] } : undeleted;
}

/** Whether the transition finds the blog. For most transitions a deleted blog counts as not found. */
export function isFoundBy(name: TransitionName, blog: StoredState): boolean {
  if (transitionOf(name).fromTrash) return blog.status === false && Boolean(blog.trashedAt);
  return blog.status === true || isAllowedAsHidden(name, blog);
}

/**
 * Whether the state of the blog allows the transition. The blog must be one that the transition
 * finds.
 */
export function isAllowed(name: TransitionName, blog: StoredState): boolean {
  const { fromTrash, from } = transitionOf(name);
  return fromTrash || from.includes(stateOf(blog)) || isAllowedAsHidden(name, blog);
}

function isAllowedAsHidden(name: TransitionName, { live }: StoredState): boolean {
  return transitionOf(name).allowsHidden && live !== undefined;
}

/** Whether another editor has to make the transition under `FOUR_EYES=on`. */
export function needsOtherEditor(name: TransitionName, actor: Types.ObjectId, blog: Blog): boolean {
  const isActor = (user: Types.ObjectId): boolean => actor.equals(user);
  switch (transitionOf(name).notBy) {
    case 'nobody':
      return false;
    case 'contributors':
      return contributorsOf(blog).some(isActor);
    case 'live contributors':
      return liveContributorsOf(blog).some(isActor);
    case 'anyone while live':
      return blog.published;
  }
}

/** Matches blogs that are live with draft although nothing was edited: an older version stored them. */
const LACKS_EDITS = { published: true, drafted: true, $expr: IS_UNEDITED } as const;

function lacksEdits(blog: Blog): boolean {
  return blog.published && blog.drafted && isUnedited(blog);
}

/** Whether the transition needs edits that the blog lacks. */
export function needsEdits(name: TransitionName, blog: Blog): boolean {
  return transitionOf(name).needsEdits && lacksEdits(blog);
}

/**
 * The filter for blogs that the transition would change, or on which it is made without a change. A
 * request that names no field is not compared.
 *
 * @param areTextsCompared if false, a blog for which `needsCleanText` holds does not match
 */
export function changeFilter(
  name: TransitionName,
  changes: WorkingCopyChanges = {},
  areTextsCompared = false,
): BlogFilter {
  const { withoutChange } = transitionOf(name);
  const fields = namesIn(changes);
  if (withoutChange === 'made' || fields.length === 0) return {};
  const differs = fields.map((field) => ({ [field]: { $ne: changes[field] } }));
  const isNotLive = withoutChange === 'skipped' ? [] : [{ published: { $ne: true } }];
  const isChanged = { $or: [...differs, ...isNotLive, LACKS_EDITS] };
  const { htmlVersion } = changes;
  if (areTextsCompared || htmlVersion === undefined) return isChanged;
  return { $and: [isChanged, { $or: [...isNotLive, { htmlVersion }] }] };
}

/**
 * Whether the text of the request can be compared only with what cleaning makes of the stored text, because
 * that was stored under another HTML policy.
 */
export function needsCleanText(
  name: TransitionName,
  blog: Blog,
  { htmlVersion }: WorkingCopyChanges = {},
): boolean {
  if (htmlVersion === undefined || htmlVersion === blog.htmlVersion) return false;
  const { withoutChange } = transitionOf(name);
  return withoutChange === 'skipped' || (withoutChange === 'skipped if live' && blog.published);
}

/** Whether the transition is skipped, because it would change nothing; the negation of `changeFilter`. */
export function isSkipped(
  name: TransitionName,
  blog: Blog,
  changes: WorkingCopyChanges = {},
): boolean {
  const { withoutChange } = transitionOf(name);
  const fields = namesIn(changes);
  if (withoutChange === 'made' || fields.length === 0 || lacksEdits(blog)) return false;
  if (withoutChange === 'skipped if live' && !blog.published) return false;
  return fields.every((field) => isDeepStrictEqual(changes[field], blog[field] ?? null));
}

/** The author's fields among the changes. */
function namesIn(changes: WorkingCopyChanges): readonly BlogFieldName[] {
  return FIELD_NAMES.filter((name) => changes[name] !== undefined);
}
