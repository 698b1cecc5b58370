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

export function authorCacheTag(id: Types.ObjectId | string): string {
  return `author-${String(id)}`;
}

/** @param key of the tag, as `tagKey` returns it */
export function tagCacheTag(key: string): string {
  return `tag-${encodeURIComponent(key.toWellFormed())}`;
}
