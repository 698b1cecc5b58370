import type { Types } from 'mongoose';

/** The name of the list of all live blogs. */
export const ALL_BLOGS = 'all';

/** The name of the list of an author's live blogs. A record of an older server may have no author. */
export function authorList(author: Types.ObjectId | undefined): string {
  return `author:${author?.toHexString() ?? ''}`;
}

const TAG_PREFIX = 'tag:';

/**
 * The name of the list of the live blogs with a tag.
 *
 * @param key the key of the tag, as it is stored
 */
export function tagList(key: string): string {
  return `${TAG_PREFIX}${key}`;
}

/** @returns the key of the tag whose list has this name; null for other lists */
export function tagOf(list: string): string | null {
  return list.startsWith(TAG_PREFIX) ? list.slice(TAG_PREFIX.length) : null;
}
