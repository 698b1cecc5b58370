import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Blog } from '../../blog/blog.schema.js';
import {
  LISTING_ITEM_FIELDS,
  toListingItemView,
  type ListingItemSource,
  type ListingItemView,
} from '../../blog/views/listing-item.view.js';
import { encodeCursor, type Cursor } from '../../common/pagination/cursor.js';
import { Listing } from '../../common/pagination/listing.js';
import { skipOf } from '../../common/pagination/page-query.dto.js';
import { withHint, type IndexKeys } from '../../database/query-hints.js';
import type { PublicReadOptions } from '../reads/public-reads.js';
import { unionOf, type Stage } from '../reads/union.js';
import type { PublicPageQuery } from '../dto/public-page-query.js';

const NEWEST_FIRST = { 'live.at': -1, _id: -1 } as const;
const PROJECTION = Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1]));

/** A public list: which blogs are in it, and the index that returns them newest first. */
export interface BlogList {
  /** The key under which concurrent reads of the list, or of the page, are shared. */
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

/** `page`: the position of the item's page in the list of pages. */
type NumberedItem = ListingItemSource & { readonly page: number };

@Injectable()
export class ListQueries {
  constructor(@InjectModel(Blog.name) private readonly blogs: Model<Blog>) {}

  /**
   * Reads pages in one query.
   *
   * @returns the blogs of each page, and one blog more where another page follows
   */
  async find(
    pages: readonly ListPage[],
    options: PublicReadOptions,
  ): Promise<readonly ListingItemSource[][]> {
    const [first, ...others] = pages;
    if (first && others.length === 0) return [await this.findOne(first, options)];
    const items = await this.blogs.aggregate<NumberedItem>(unionOf(pages.map(stagesOf)), {
      ...options,
      batchSize: pages.reduce((sum, { size }) => sum + size + 1, 1),
    });
    const byPage = pages.map((): ListingItemSource[] => []);
    for (const item of items) byPage[item.page]?.push(item);
    return byPage;
  }

  /** Counts index keys. The `count` command fetches no document; an aggregation would. */
  async count(filter: QueryFilter<Blog>, options: PublicReadOptions): Promise<number> {
    const { n } = await this.command<{ n: number }>({ count: 'blogs', query: filter }, options);
    return Number(n);
  }

  /**
   * Runs the plain `find` command, whose first batch holds the whole page. A Mongoose query and a cursor
   * of the driver would together cost as much time as the items.
   */
  private async findOne(
    { filter, index, skip, size }: ListPage,
    options: PublicReadOptions,
  ): Promise<ListingItemSource[]> {
    const limit = size + 1;
    const { cursor } = await withHint(index, (hint) =>
      this.command<{ cursor: { firstBatch: ListingItemSource[] } }>(
        {
          find: 'blogs',
          filter,
          sort: NEWEST_FIRST,
          skip,
          limit,
          batchSize: limit,
          singleBatch: true,
          projection: PROJECTION,
          ...hint,
        },
        options,
      ),
    );
    return cursor.firstBatch;
  }

  private async command<Answer>(
    command: object,
    { session, readConcern, maxTimeMS, readPreference }: PublicReadOptions,
  ): Promise<Answer> {
    const { db } = this.blogs.db;
    if (!db) throw new Error('the database was asked before it was connected to');
    // A copy of the read concern, because the driver adds the operation time to the object it is given.
    const bounded = { ...command, readConcern: { ...readConcern }, maxTimeMS };
    return (await db.command(bounded, { session, readPreference })) as Answer;
  }
}

/** Stages that read one page with one blog more, and number its items. */
function stagesOf({ filter, skip, size }: ListPage, page: number): Stage[] {
  return [
    { $match: filter },
    { $sort: NEWEST_FIRST },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    { $limit: size + 1 },
    { $project: { ...PROJECTION, page: { $literal: page } } },
  ];
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
 * Selects the blogs after a cursor, as two ranges of one index. MongoDB merges the ranges in the order
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
