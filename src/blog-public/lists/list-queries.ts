import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model, QueryFilter } from 'mongoose';
import { Blog } from '../../blog/blog.schema.js';
import { LISTING_ITEM_FIELDS, type ListingItemSource } from '../../blog/views/listing-item.view.js';
import { withHint } from '../../database/with-hint.js';
import type { PublicReadOptions } from '../reads/public-reads.js';
import { unionOf, type Stage } from '../reads/union.js';
import type { ListPage } from './list-page.js';

const NEWEST_FIRST = { 'live.at': -1, _id: -1 } as const;
const PROJECTION = Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1]));

/** `page`: the position of the item's page in the list of pages. */
type NumberedItem = ListingItemSource & { readonly page: number };

/** The queries of public lists. */
@Injectable()
export class ListQueries {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectConnection() private readonly connection: Connection,
  ) {}

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
   * Runs the `find` command itself; its first batch holds the whole page. Mongoose's query and the
   * driver's cursor together would cost as much as the items.
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
    const { db } = this.connection;
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
