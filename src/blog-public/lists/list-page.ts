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

/** All blogs of a list. */
export interface BlogList {
  /** Unique among the lists. */
  readonly name: string;
  readonly filter: QueryFilter<Blog>;
  /** The keys of its index. */
  readonly index: IndexKeys;
}

/** A page of a list, newest first. */
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

/** @param found the blogs of the page, and one more if another page follows */
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
 * What comes after a cursor, as two ranges of the index that MongoDB merges in the index's order. So it
 * examines as many keys as it returns blogs, also where many have the same time. Each range repeats the
 * whole filter, or else MongoDB would scan one range for both, with every key of that time.
 */
function after({ at, id }: Cursor, filter: QueryFilter<Blog>): QueryFilter<Blog> {
  return {
    $or: [
      { $and: [filter, { 'live.at': { $lt: at } }] },
      { $and: [filter, { 'live.at': at, _id: { $lt: id } }] },
    ],
  };
}
