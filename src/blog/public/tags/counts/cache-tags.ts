import type { Types } from 'mongoose';

/**
 * The names by which a CDN removes stored answers: the header `Cache-Tag` of an answer lists those of what
 * it shows, and a webhook lists those to purge. They hold no commas and no blanks.
 */

/** Every list of articles has it: any change of an article may change a list. */
export const LISTS_CACHE_TAG = 'blogs';

export function blogCacheTag(id: Types.ObjectId | string): string {
  return `blog-${String(id)}`;
}

/** Every answer that names the author has it, articles included: it is purged when the name changes. */
export function authorCacheTag(id: Types.ObjectId | string): string {
  return `author-${String(id)}`;
}

/**
 * On what lists the articles of an author. Were it the tag of the name, each change of an article would
 * remove all other articles of its author.
 */
export function authorListCacheTag(id: Types.ObjectId | string): string {
  return `author-list-${String(id)}`;
}

/** @param key of the tag, as `tagKey` returns it */
export function tagCacheTag(key: string): string {
  return `tag-${encodeURIComponent(key.toWellFormed())}`;
}
