import type { Types } from 'mongoose';
import { tagKey } from '../../core/text/words.js';

/**
 * Cache tags are the names by which a CDN removes stored answers. The header `Cache-Tag` of an
 * answer lists the cache tags of what the answer shows. A webhook lists the cache tags to purge.
 * Cache tags contain no commas and no blanks.
 */

/** The cache tag of every list of articles: any change of an article may change a list. */
export const LISTS_CACHE_TAG = 'blogs';

export function blogCacheTag(id: Types.ObjectId | string): string {
  return `blog-${String(id)}`;
}

/**
 * The cache tag of every answer that names the author, articles included: the answer is purged when
 * the name changes.
 */
export function authorCacheTag(id: Types.ObjectId | string): string {
  return `author-${String(id)}`;
}

/**
 * The cache tag of lists of the author's articles. It differs from `authorCacheTag`: otherwise each
 * change of an article would purge all other articles of its author.
 */
export function authorListCacheTag(id: Types.ObjectId | string): string {
  return `author-list-${String(id)}`;
}

/** The cache tags of the lists that have articles of these authors or with these tags. */
export function listCacheTags(
  authors: readonly Types.ObjectId[],
  tagKeys: readonly string[],
): string[] {
  return [
    LISTS_CACHE_TAG,
    // A record of an older server may have no author.
    ...new Set(authors.flatMap((author) => (author ? [authorListCacheTag(author)] : []))),
    ...new Set(tagKeys.flatMap(purgedTagCacheTags)),
  ];
}

/** @param tag the tag in any spelling: all spellings of a tag have one cache tag */
export function tagCacheTag(tag: string): string {
  return cacheTagOf(tagKey(tag));
}

/**
 * The cache tags to purge after a change of a blog with this tag. For a blog that an earlier version
 * has stored, they include the cache tag of answers of that version, which may run beside this one.
 *
 * @param key key of the tag, as it is stored
 */
function purgedTagCacheTags(key: string): string[] {
  return [...new Set([tagCacheTag(key), cacheTagOf(key)])];
}

function cacheTagOf(key: string): string {
  return `tag-${encodeURIComponent(key.toWellFormed())}`;
}
