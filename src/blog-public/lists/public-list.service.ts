import { Injectable } from '@nestjs/common';
import { BLOG } from '../../blog/blog.cache.js';
import { LATEST_INDEX, TAG_INDEX } from '../../blog/blog.indexes.js';
import { IS_LIVE, IS_PUBLIC } from '../../blog/blog.schema.js';
import type { ListingItemSource, ListingItemView } from '../../blog/views/listing-item.view.js';
import { CacheCoherenceService } from '../../cache/cache-coherence.service.js';
import { Listing } from '../../common/pagination/listing.js';
import { PublicPageQuery } from '../dto/public-page-query.js';
import { BatchScheduler } from '../reads/batch-scheduler.js';
import { expensiveReads, PublicReads } from '../reads/public-reads.js';
import { ListQueries, listingOf, pageOf, type BlogList, type ListPage } from './list-queries.js';

/** A page that skips more keys is read in its own query: other pages of a batch would wait for it. */
const MAX_BATCHED_SKIP = 1_000;

/** A page that skips more keys also waits for a slot of the bulkhead. */
const MAX_CHEAP_SKIP = 10_000;

/** Pages in one query at most. */
const MAX_BATCH_SIZE = 16;

/** Lists of live blogs, for any holder of an API key. */
@Injectable()
export class PublicListService {
  /** For deep pages and totals: MongoDB examines every index key that they skip or count. */
  private readonly expensive = expensiveReads();
  private readonly pages: PublicReads<
    ListPage,
    readonly ListingItemSource[][],
    Listing<ListingItemView>
  >;
  private readonly totals: PublicReads<BlogList, number[], number>;

  constructor(queries: ListQueries, coherence: CacheCoherenceService) {
    this.pages = new PublicReads(coherence, {
      dependsOn: [BLOG],
      batches: { scheduler: new BatchScheduler(), maxSize: MAX_BATCH_SIZE },
      scheduleOf: ({ skip }) =>
        skip > MAX_CHEAP_SKIP ? this.expensive : skip > MAX_BATCHED_SKIP ? 'alone' : 'batched',
      query: (pages, options) => queries.find(pages, options),
      valuesOf: (found, pages) => pages.map((page, index) => listingOf(page, found[index] ?? [])),
    });
    this.totals = new PublicReads(coherence, {
      dependsOn: [BLOG],
      scheduleOf: () => this.expensive,
      query: (lists, options) =>
        Promise.all(lists.map(({ filter }) => queries.count(filter, options))),
      valuesOf: (counts) => counts,
    });
  }

  /** @throws TooManyExpensiveReadsError for a deep page or a total */
  async latest(query: PublicPageQuery): Promise<Listing<ListingItemView>> {
    return this.list({ name: 'latest', filter: IS_LIVE, index: LATEST_INDEX }, query);
  }

  /**
   * @param key the tag as `tagKey` normalises it
   * @throws TooManyExpensiveReadsError for a deep page or a total
   */
  async byTag(key: string, query: PublicPageQuery): Promise<Listing<ListingItemView>> {
    const filter = { 'live.tagKeys': key, ...IS_PUBLIC };
    return this.list({ name: `tag ${key}`, filter, index: TAG_INDEX }, query);
  }

  private async list(list: BlogList, query: PublicPageQuery): Promise<Listing<ListingItemView>> {
    const page = pageOf(list, query);
    const [listing, total] = await Promise.all([
      this.pages.get(page.name, page),
      query.total ? this.totals.get(list.name, list) : undefined,
    ]);
    const { items, limit, end } = listing;
    return total === undefined ? listing : new Listing(items, limit, end, total);
  }
}
