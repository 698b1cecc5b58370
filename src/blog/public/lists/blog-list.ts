import type { QueryFilter, Types } from 'mongoose';
import { AUTHOR_INDEX, LATEST_INDEX, TAG_INDEX } from '../../core/blog.indexes.js';
import { IS_LIVE, IS_PUBLIC, type Blog } from '../../core/blog.schema.js';
import { storedTagKeys } from '../../core/text/words.js';
import { ALL_BLOGS, authorList, tagList } from '../counts/list-names.js';
import type { Cursor } from '../../../platform/http/pagination/cursor.js';
import { encodeCursor } from '../../../platform/http/pagination/cursor.js';
import { skipOf, type PageQuery } from '../../../platform/http/pagination/page-query.dto.js';
import type { IndexKeys } from '../../../platform/database/query-hints.js';
import type { ListOrder } from '../dto/public-list-query.js';

/**
 * A public list: which blogs are in it, their order, and the index that returns them in this order.
 */
export interface BlogList {
  /** Names the list, or the page of a ListPage: concurrent reads with the same name share one query. */
  readonly name: string;
  readonly filter: QueryFilter<Blog>;
  readonly index: IndexKeys;
  readonly order: ListOrder;
  /** The name of the list in the counts; null for a list whose blogs have to be counted. */
  readonly counted: string | null;
}

/** One page of a list. */
export interface ListPage extends BlogList {
  readonly skip: number;
  /** Largest number of blogs on the page. */
  readonly size: number;
  readonly hasTexts: boolean;
}

/**
 * What selects the blogs of a list. A list has a tag or an author, not both: that would need another
 * index.
 */
export interface Selection {
  /** Only blogs that were first published at this time or later. */
  readonly from?: Date | undefined;
  /** Only blogs that were first published before this time. */
  readonly to?: Date | undefined;
  readonly order?: ListOrder | undefined;
  /** The tag as `earlierTagKey` returns it. */
  readonly tag?: string | undefined;
  readonly author?: Types.ObjectId | undefined;
}

type PageRequest = Pick<PageQuery, 'page' | 'limit'> & {
  readonly cursor?: Cursor | undefined;
  readonly include?: 'text' | undefined;
};

/** The sort of each order. Both orders read the same index, forwards or backwards. */
export const SORTS = {
  newest: { 'live.at': -1, _id: -1 },
  oldest: { 'live.at': 1, _id: 1 },
} as const;

export function listOf({ tag, author, from, to, order = 'newest' }: Selection): BlogList {
  const at = { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) };
  const isBounded = from !== undefined || to !== undefined;
  const [filter, index]: readonly [QueryFilter<Blog>, IndexKeys] =
    tag !== undefined
      ? [{ ...hasTag(tag), ...IS_PUBLIC, ...(isBounded ? { 'live.at': at } : {}) }, TAG_INDEX]
      : [
          {
            ...(author ? { author } : {}),
            ...IS_LIVE,
            // MongoDB uses a partial index only if the query contains its filter.
            ...(isBounded ? { 'live.at': { ...IS_LIVE['live.at'], ...at } } : {}),
          },
          author ? AUTHOR_INDEX : LATEST_INDEX,
        ];
  const name = JSON.stringify([tag, author, from, to, order]);
  const isCounted = !isBounded && (tag === undefined || storedTagKeys(tag).length === 1);
  return { name, filter, index, order, counted: isCounted ? countedName({ tag, author }) : null };
}

function countedName({ tag, author }: Selection): string {
  if (tag !== undefined) return tagList(tag);
  return author ? authorList(author) : ALL_BLOGS;
}

function hasTag(tag: string): QueryFilter<Blog> {
  const keys = storedTagKeys(tag);
  return { 'live.tagKeys': keys.length === 1 ? tag : { $in: keys } };
}

/** The page that a request asks for, by its number or by a cursor. */
export function pageOf(
  { name, filter, index, order, counted }: BlogList,
  { page, limit, cursor, include }: PageRequest,
): ListPage {
  return {
    name: `${cursor ? encodeCursor(cursor) : page} ${limit} ${include ?? ''} ${name}`,
    filter: cursor ? after(cursor, filter, order) : filter,
    index,
    order,
    counted,
    skip: cursor ? 0 : skipOf({ page, limit }),
    size: limit,
    hasTexts: include === 'text',
  };
}

/**
 * Selects the blogs after a cursor, as two ranges of one index. MongoDB merges the ranges in the order
 * of the index, so it examines as many keys as it returns blogs, even if many blogs have the same time.
 * Each range repeats the whole filter: otherwise MongoDB would scan one range, with every key that has the
 * time of the cursor.
 */
function after({ at, id }: Cursor, filter: QueryFilter<Blog>, order: ListOrder): QueryFilter<Blog> {
  const operator = order === 'newest' ? '$lt' : '$gt';
  return {
    $or: [
      { $and: [filter, { 'live.at': { [operator]: at } }] },
      { $and: [filter, { 'live.at': at, _id: { [operator]: id } }] },
    ],
  };
}
