import type { QueryFilter } from 'mongoose';
import type { Blog } from '../../blog/blog.schema.js';
import {
  toListingItemView,
  type ListingItemSource,
  type ListingItemView,
} from '../../blog/views/listing-item.view.js';
import { encodeCursor, type Cursor } from '../../common/pagination/cursor.js';
import { Listing } from '../../common/pagination/listing.js';
import { skipOf } from '../../common/pagination/page-query.dto.js';
import type { IndexKeys } from '../../database/with-hint.js';
import type { PublicPageQuery } from '../dto/public-page-query.js';

/** A public list: which blogs are in it, and the index that returns them newest first. */
export interface BlogList {
  /** Identifies the list, or the page of it, when reads are shared. */
  readonly name: string;
  readonly filter: QueryFilter<Blog>;
  readonly index: IndexKeys;
}

/** One page of a list. */
export interface ListPage extends BlogList {
  readonly skip: number;
  /** Blogs on the page at most. */
  readonly size: number;
}

/** The page that a request asks for, by its number or by a cursor. */
export function pageOf(
  { name, filter, index }: BlogList,
  { page, limit, cursor }: Pick<PublicPageQuery, 'page' | 'limit' | 'cursor'>,
): ListPage {
  return {
    name: `${cursor ? encodeCursor(cursor) : page} ${limit} ${name}`,
    filter: cursor ? after(cursor, filter) : filter,
    index,
    skip: cursor ? 0 : skipOf({ page, limit }),
    size: limit,
  };
}

/** @param found the blogs of the page, and one blog more if another page follows */
export function listingOf(
  { size }: ListPage,
  found: readonly ListingItemSource[],
): Listing<ListingItemView> {
  const blogs = found.slice(0, size);
  const last = found.length > size ? blogs.at(-1) : undefined;
  const end = last ? { at: last.live.at, id: last._id } : null;
  return new Listing(blogs.map(toListingItemView), size, end, undefined);
}

/**
 * Selects what comes after a cursor, as two ranges of one index. MongoDB merges the ranges in the order
 * of the index, so it examines as many keys as it returns blogs, even if many blogs have the same time.
 * Each range repeats the whole filter: otherwise MongoDB would scan a single range that holds every key
 * of that time.
 */
function after({ at, id }: Cursor, filter: QueryFilter<Blog>): QueryFilter<Blog> {
  return {
    $or: [
      { $and: [filter, { 'live.at': { $lt: at } }] },
      { $and: [filter, { 'live.at': at, _id: { $lt: id } }] },
    ],
  };
}
