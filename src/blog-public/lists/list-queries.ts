import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model, QueryFilter } from 'mongoose';
import { Blog } from '../../blog/blog.schema.js';
import type { ListingItemSource } from '../../blog/views/listing-item.view.js';
import { withHint } from '../../database/with-hint.js';
import type { PublicReadOptions } from '../reads/public-reads.js';
import type { ListPage } from './list-page.js';
import {
  LISTING_ITEM_PROJECTION,
  NEWEST_FIRST,
  pagesPipeline,
  type NumberedItem,
} from './pages.pipeline.js';

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
   * @returns the blogs of each page, and one more of a page that another one follows
   */
  async find(
    pages: readonly ListPage[],
    options: PublicReadOptions,
  ): Promise<readonly ListingItemSource[][]> {
    const [first, ...others] = pages;
    if (!first) return [];
    if (others.length === 0) return [await this.findOne(first, options)];
    const items = await this.blogs.aggregate<NumberedItem>(pagesPipeline(pages), {
      ...options,
      batchSize: pages.reduce((sum, { size }) => sum + size + 1, 1),
    });
    const byPage = pages.map((): ListingItemSource[] => []);
    for (const item of items) byPage[item.page]?.push(item);
    return byPage;
  }

  /** A count of index keys: the `count` command fetches no document, as an aggregation would. */
  async count(filter: QueryFilter<Blog>, options: PublicReadOptions): Promise<number> {
    const { n } = await this.command<{ n: number }>({ count: 'blogs', query: filter }, options);
    return Number(n);
  }

  /**
   * The `find` command itself, whose first batch holds the whole page: the cursor of the driver and the
   * query of Mongoose together would cost as much as the items.
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
          projection: LISTING_ITEM_PROJECTION,
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
    // The driver adds the operation time to the read concern that it is given.
    const bounded = { ...command, readConcern: { ...readConcern }, maxTimeMS };
    return (await db.command(bounded, { session, readPreference })) as Answer;
  }
}
