import { Injectable } from '@nestjs/common';
import { BLOG } from '../../core/blog.cache.js';
import { HtmlCleaner } from '../../core/html/html-cleaner.js';
import {
  toListingItemView,
  type ListingItemSource,
  type ListingItemView,
} from '../../core/views/listing-item.view.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import type { ClientPrefixOf } from '../../../platform/http/client-address/client-prefix.decorator.js';
import { Listing } from '../../../platform/http/pagination/listing.js';
import { USER_NAME } from '../../../user/schemas/user.cache.js';
import { UserService } from '../../../user/user.service.js';
import type { PublicListQuery } from '../dto/public-list-query.js';
import type { PublicPageQuery } from '../dto/public-page-query.js';
import { MAX_CHEAP_SKIP } from '../../../platform/overload/expensive-reads.js';
import { ListCounts } from '../counts/list-counts.service.js';
import { LIST_CORRECTIONS } from '../counts/list-corrections.cache.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { PictureAddresses } from '../../media/serving/picture-addresses.service.js';
import { ExpensiveReadsService } from '../reads/expensive-reads.service.js';
import { PublicReads } from '../reads/public-reads.js';
import { listOf, pageOf, type BlogList, type ListPage, type Selection } from './blog-list.js';
import { ListQueries } from './list-queries.js';

/**
 * Number of skipped keys above which a page is read in its own query: other pages of a batch would
 * wait for it.
 */
const MAX_BATCHED_SKIP = 1_000;

/** Largest number of pages in one query. */
const MAX_BATCH_SIZE = 16;

/** The query fields of public lists; those of PublicListQuery are not in every list. */
type ListQuery = PublicPageQuery &
  Partial<Pick<PublicListQuery, 'include' | 'from' | 'to' | 'order'>>;

/** Lists of live blogs, for any holder of an API key. */
@Injectable()
export class PublicListService {
  private readonly pages: PublicReads<
    ListPage,
    readonly ListingItemSource[][],
    Listing<ListingItemView>
  >;
  private readonly totals: PublicReads<BlogList, number[], number>;

  constructor(
    private readonly queries: ListQueries,
    private readonly counts: ListCounts,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    private readonly pictures: PictureAddresses,
    coherence: CacheCoherenceService,
    expensive: ExpensiveReadsService,
  ) {
    this.pages = new PublicReads(coherence, {
      dependsOn: [BLOG, USER_NAME],
      nameOf: ({ name }) => name,
      maxBatchSize: MAX_BATCH_SIZE,
      scheduleOf: ({ skip, hasTexts }) => {
        // MongoDB examines every index key that is skipped, so a deep page waits for a slot of the
        // bulkhead.
        if (skip > MAX_CHEAP_SKIP) return expensive;
        return skip > MAX_BATCHED_SKIP || hasTexts ? 'alone' : 'batched';
      },
      query: (pages, options) => queries.find(pages, options),
      valuesOf: (found, pages) => this.listingsOf(found, pages),
    });
    this.totals = new PublicReads(coherence, {
      dependsOn: [BLOG, LIST_CORRECTIONS],
      nameOf: ({ name }) => name,
      scheduleOf: ({ counted }) => (counted === null ? expensive : 'alone'),
      query: (lists, options) => Promise.all(lists.map((list) => this.totalOf(list, options))),
      valuesOf: (counts) => counts,
    });
  }

  /**
   * A page of the live blogs that the selection and the query describe.
   *
   * @throws TooManyExpensiveReadsError for a deep page, or a total between two times
   */
  async list(
    selection: Selection,
    query: ListQuery,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<Listing<ListingItemView>> {
    const { from, to, order } = query;
    const list = listOf({ ...selection, from, to, order });
    const page = pageOf(list, query);
    const [{ items, limit, end }, total] = await Promise.all([
      this.pages.get(page, clientPrefixOf),
      query.total ? this.totals.get(list, clientPrefixOf) : undefined,
    ]);
    return new Listing(items, limit, end, total, repeatedParameters(query));
  }

  private async totalOf(
    { filter, counted }: BlogList,
    options: PublicReadOptions,
  ): Promise<number> {
    if (counted === null) return this.queries.count(filter, options);
    return (await this.counts.read(counted, options)).count;
  }

  /** @param found the blogs of each page, and one more blog if another page follows */
  private async listingsOf(
    found: readonly ListingItemSource[][],
    pages: readonly ListPage[],
  ): Promise<Listing<ListingItemView>[]> {
    const names = await this.users.namesOf(found.flat().map(({ author }) => author));
    const listings = pages.map(async ({ size, hasTexts }, index) => {
      const items = found[index] ?? [];
      const blogs = items.slice(0, size);
      const last = items.length > size ? blogs.at(-1) : undefined;
      const end = last ? { at: last.live.at, id: last._id } : null;
      const views = hasTexts
        ? await Promise.all(blogs.map((blog) => this.withText(blog, names)))
        : blogs.map((blog) => toListingItemView(blog, names, this.pictures.publicLinks));
      return new Listing(views, size, end, undefined);
    });
    return Promise.all(listings);
  }

  private async withText(
    blog: ListingItemSource,
    names: ReadonlyMap<string, string>,
  ): Promise<ListingItemView> {
    const text = this.pictures.published(await this.html.servedText(blog));
    return toListingItemView(blog, names, this.pictures.publicLinks, text);
  }
}

/** The query parameters that the link to the next page repeats. */
function repeatedParameters({ from, to, order, include, tag, author }: ListQuery & Selection) {
  const values = {
    tag,
    author: author?.toHexString(),
    include,
    from: from?.toISOString(),
    to: to?.toISOString(),
    order: order === 'oldest' ? order : undefined,
  };
  const given = Object.entries(values).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given);
}
