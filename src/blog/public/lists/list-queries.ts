import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Blog } from '../../core/blog.schema.js';
import {
  LISTING_ITEM_FIELDS,
  TEXT_FIELDS,
  type ListingItemSource,
} from '../../core/views/listing-item.view.js';
import { withHint } from '../../../platform/database/query-hints.js';
import {
  modelFor,
  runCommand,
  type PublicReadOptions,
} from '../../../platform/caching/causal-read-barrier.js';
import { unionOf, type Stage } from '../../core/lists/union.js';
import { SORTS, type ListPage } from './blog-list.js';

const PROJECTION = Object.fromEntries(LISTING_ITEM_FIELDS.map((field) => [field, 1]));
const WITH_TEXTS = {
  ...PROJECTION,
  ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, 1])),
};

/** An item with the position of its page in the list of pages that one query reads. */
type NumberedItem = ListingItemSource & { readonly page: number };

@Injectable()
export class ListQueries {
  constructor(@InjectModel(Blog.name) private readonly blogs: Model<Blog>) {}

  /**
   * Reads pages in one query.
   *
   * @returns the blogs of each page, and one more blog if another page follows
   */
  async find(
    pages: readonly ListPage[],
    options: PublicReadOptions,
  ): Promise<readonly ListingItemSource[][]> {
    const [first, ...others] = pages;
    if (first && others.length === 0) return [await this.findPage(first, options)];
    const blogs = modelFor(this.blogs, options);
    const items = await blogs.aggregate<NumberedItem>(unionOf(pages.map(stagesOf)), {
      ...options,
      batchSize: pages.reduce((sum, { size }) => sum + size + 1, 1),
    });
    const byPage = pages.map((): ListingItemSource[] => []);
    for (const item of items) byPage[item.page]?.push(item);
    return byPage;
  }

  /** Counts index keys. The `count` command fetches no document; an aggregation would. */
  async count(filter: QueryFilter<Blog>, options: PublicReadOptions): Promise<number> {
    const command = { count: 'blogs', query: filter };
    const { n } = await runCommand<{ n: number }>(this.blogs.db, command, options);
    return Number(n);
  }

  private async findPage(
    { filter, index, order, skip, size, hasTexts }: ListPage,
    options: PublicReadOptions,
  ): Promise<ListingItemSource[]> {
    const limit = size + 1;
    const { cursor } = await withHint(index, (hint) =>
      runCommand<{ cursor: { firstBatch: ListingItemSource[] } }>(
        this.blogs.db,
        {
          find: 'blogs',
          filter,
          sort: SORTS[order],
          skip,
          limit,
          batchSize: limit,
          singleBatch: true,
          projection: hasTexts ? WITH_TEXTS : PROJECTION,
          ...hint,
        },
        options,
      ),
    );
    return cursor.firstBatch;
  }
}

/** Stages that read one page and one more blog, and add the position of the page to each item. */
function stagesOf({ filter, order, skip, size }: ListPage, page: number): Stage[] {
  return [
    { $match: filter },
    { $sort: SORTS[order] },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    { $limit: size + 1 },
    { $project: { ...PROJECTION, page: { $literal: page } } },
  ];
}
