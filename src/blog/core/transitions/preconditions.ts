import type { Types } from 'mongoose';
import { IN_TRASH, type Blog, type BlogFilter } from '../blog.schema.js';
import { stateOf } from '../blog.state.js';
import type { StoredState } from './move.js';
import { moveOf, type MoveName } from './move-table.js';

/** The filter for blogs that allow the move: those for which `isFoundBy` and `isAllowed` hold. */
export function preconditionOf(name: MoveName): BlogFilter {
  const { precondition, allowsHidden, fromTrash } = moveOf(name);
  if (fromTrash) return { ...IN_TRASH, ...precondition };
  const undeleted = { status: true, ...precondition };
  return allowsHidden ? { $or: [undeleted, { live: { $exists: true } }] } : undeleted;
}

/** Whether the move finds the blog. For most moves a deleted blog counts as not found. */
export function isFoundBy(name: MoveName, blog: StoredState): boolean {
  if (moveOf(name).fromTrash) return blog.status === false && Boolean(blog.trashedAt);
  return blog.status === true || isAllowedAsHidden(name, blog);
}

/** Whether the state of a blog that the move finds allows the move. */
export function isAllowed(name: MoveName, blog: StoredState): boolean {
  const { fromTrash, from } = moveOf(name);
  return fromTrash || from.includes(stateOf(blog)) || isAllowedAsHidden(name, blog);
}

function isAllowedAsHidden(name: MoveName, { live }: StoredState): boolean {
  return moveOf(name).allowsHidden && live !== undefined;
}

/** With `FOUR_EYES=on`: the filter for blogs with which this user may make the move. */
export function fourEyesFilter(name: MoveName, actor: Types.ObjectId): BlogFilter {
  const { notBy } = moveOf(name);
  if (notBy === 'published') return { published: { $ne: true } };
  // For a list of users, `$ne` means that none of them is the actor.
  return Object.fromEntries(notBy.map((field) => [field, { $ne: actor }]));
}

/** With `FOUR_EYES=on`: whether another editor has to make the move; the contrary of the filter. */
export function needsOtherEditor(name: MoveName, actor: Types.ObjectId, blog: Blog): boolean {
  const { notBy } = moveOf(name);
  if (notBy === 'published') return blog.published;
  return notBy.some((field) => [blog[field] ?? []].flat().some((user) => actor.equals(user)));
}
