import type { Types } from 'mongoose';
import { IN_TRASH, type Blog, type BlogFilter } from '../blog.schema.js';
import { contributorsOf, liveContributorsOf } from '../../contributors/contributors.js';
import { stateFilter, stateOf } from '../blog.state.js';
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
