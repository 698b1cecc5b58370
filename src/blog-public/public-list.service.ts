import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import DataLoader from 'dataloader';
import type { Connection, Model, QueryFilter, Types } from 'mongoose';
import { BlogNotFoundError } from '../blog/blog.errors.js';
import { BLOG } from '../blog/blog.cache.js';
import { Blog, IS_LIVE, IS_PUBLIC, LATEST_INDEX, TAG_INDEX } from '../blog/blog.schema.js';
import {
  toListingItemView,
  type ListingItemSource,
  type ListingItemView,
} from '../blog/views/listing-item.view.js';
import { encodeCursor, type Cursor } from '../common/pagination/cursor.js';
import { Listing } from '../common/pagination/listing.js';
import { skipOf } from '../common/pagination/page-query.dto.js';
import { Bulkhead } from '../common/bulkhead/bulkhead.js';
import { BY_ID } from '../database/by-id.js';
import { withHint } from '../database/with-hint.js';
import { SingleFlight } from '../cache/single-flight.js';
import { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { TooManySearchesError } from './blog-public.errors.js';
import { PublicPageQuery } from './dto/public-page-query.js';
import { BatchScheduler } from './batch-scheduler.js';
import {
  LISTING_ITEM_PROJECTION,
  NEWEST_FIRST,
  pagesPipeline,
  type NumberedItem,
  type PageOfBlogs,
} from './pages.pipeline.js';
import { PUBLIC_READ } from './public-read.js';
import { chooseCandidates, keysPerTerm, type CandidateList } from './similar/similar-candidates.js';
import {
  candidatesPipeline,
  scoringPipeline,
  termsOf,
  type SimilarSource,
} from './similar/similar.pipeline.js';

/** What walks more index keys than this waits for others of its kind. */
const DEEP = 10_000;

/**
 * Deep pages and totals that run at once, and searches for similar blogs: they keep the database from
 * the reads that are quick. So many of each may wait, and so long; the rest is refused.
 */
const EXPENSIVE_READS = { maxConcurrent: 2, maxQueued: 50, maxWaitMs: 2_000 } as const;

/** What skips more than this is asked for alone: the others of its query would wait for it. */
const SHALLOW = 1_000;

/** Pages of one query at most. */
const MAX_BATCH_SIZE = 16;

type Page = Pick<PublicPageQuery, 'page' | 'limit' | 'cursor' | 'total'>;

type Source = Pick<PageOfBlogs, 'filter' | 'index'>;

/** Lists of live blogs, for any holder of an API key. */
@Injectable()
export class PublicListService {
  private readonly lists: SingleFlight<Listing<ListingItemView>>;
  private readonly totals: SingleFlight<number>;
  private readonly similarLists: SingleFlight<ListingItemView[]>;
  private readonly inDepth = new Bulkhead(EXPENSIVE_READS, () => new TooManySearchesError());
  private readonly searches = new Bulkhead(EXPENSIVE_READS, () => new TooManySearchesError());
  private readonly gathering = new BatchScheduler(MAX_BATCH_SIZE);
  private readonly pages = new DataLoader<PageOfBlogs, ListingItemSource[]>(
    (pages) => this.gathering.run(() => this.findAll(pages)),
    this.gathering.options,
  );

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectConnection() private readonly connection: Connection,
    private readonly coherence: CacheCoherenceService,
  ) {
    this.lists = new SingleFlight(coherence, [BLOG]);
    this.totals = new SingleFlight(coherence, [BLOG]);
    this.similarLists = new SingleFlight(coherence, [BLOG]);
  }

  async latest(page: Page): Promise<Listing<ListingItemView>> {
    return this.list('latest', { filter: IS_LIVE, index: LATEST_INDEX }, page);
  }

  /** @param key the tag as it is matched */
  async byTag(key: string, page: Page): Promise<Listing<ListingItemView>> {
    const filter = { 'live.tagKeys': key, ...IS_PUBLIC };
    return this.list(`tag ${key}`, { filter, index: TAG_INDEX }, page);
  }

  /** @returns at most six, best first @throws BlogNotFoundError @throws TooManySearchesError */
  async similar(id: Types.ObjectId): Promise<ListingItemView[]> {
    return this.similarLists.join(id.toHexString(), () =>
      this.searches.run(() => this.readSimilar(id)),
    );
  }

  private async list(name: string, from: Source, page: Page): Promise<Listing<ListingItemView>> {
    const place = page.cursor ? encodeCursor(page.cursor) : String(page.page);
    const [list, total] = await Promise.all([
      this.lists.join(`${place} ${page.limit} ${name}`, () => this.readPage(from, page)),
      page.total ? this.totals.join(name, () => this.count(from.filter)) : undefined,
    ]);
    return total === undefined ? list : new Listing(list.items, list.limit, list.end, total);
  }

  private async readPage(
    { filter, index }: Source,
    { page, limit, cursor }: Page,
  ): Promise<Listing<ListingItemView>> {
    const wanted = {
      filter: cursor ? after(cursor, filter) : filter,
      index,
      skip: cursor ? 0 : skipOf({ page, limit }),
      // One more says whether another page follows.
      limit: limit + 1,
    };
    const found = await this.read(wanted);
    const blogs = found.slice(0, limit);
    const last = found.length > limit ? blogs.at(-1) : undefined;
    const end = last ? { at: last.live.at, id: last._id } : null;
    return new Listing(blogs.map(toListingItemView), limit, end, undefined);
  }

  private async read(page: PageOfBlogs): Promise<ListingItemSource[]> {
    if (page.skip <= SHALLOW) return this.pages.load(page);
    return page.skip > DEEP ? this.inDepth.run(() => this.find(page)) : this.find(page);
  }

  private async findAll(pages: readonly PageOfBlogs[]): Promise<ListingItemSource[][]> {
    const [first, ...others] = pages;
    if (!first) return [];
    if (others.length === 0) return [await this.find(first)];
    const items = await this.coherence.read((options) =>
      this.blogs.aggregate<NumberedItem>(pagesPipeline(pages), {
        ...options,
        ...PUBLIC_READ,
        batchSize: pages.reduce((sum, { limit }) => sum + limit, 1),
      }),
    );
    const byPage = pages.map((): ListingItemSource[] => []);
    for (const item of items) byPage[item.page]?.push(item);
    return byPage;
  }

  /**
   * The command itself, whose one batch holds the longest list: a cursor of the driver and a query of
   * Mongoose would cost a list as much as its items do.
   */
  private async find({ filter, index, skip, limit }: PageOfBlogs): Promise<ListingItemSource[]> {
    const { cursor } = await withHint(index, (hint) =>
      this.command<{ cursor: { firstBatch: ListingItemSource[] } }>({
        find: 'blogs',
        filter,
        sort: NEWEST_FIRST,
        skip,
        limit,
        batchSize: limit,
        singleBatch: true,
        projection: LISTING_ITEM_PROJECTION,
        ...hint,
      }),
    );
    return cursor.firstBatch;
  }

  /** A count of index keys: the `count` command fetches no document, as an aggregation would. */
  private async count(filter: QueryFilter<Blog>): Promise<number> {
    const { n } = await this.inDepth.run(() =>
      this.command<{ n: number }>({ count: 'blogs', query: filter }),
    );
    return Number(n);
  }

  private async command<Answer>(command: object): Promise<Answer> {
    return this.coherence.read(async ({ session, readConcern, maxTimeMS }) => {
      const { db } = this.connection;
      if (!db) throw new Error('the database was asked before it was connected to');
      // The driver adds to the read concern.
      const bounded = { ...command, readConcern: { ...readConcern }, maxTimeMS };
      return (await db.command(bounded, { session, ...PUBLIC_READ })) as Answer;
    });
  }

  /** The terms' newest blogs by index keys, a choice of them, and the best of that by all they share. */
  private async readSimilar(id: Types.ObjectId): Promise<ListingItemView[]> {
    return this.coherence.read(async (options) => {
      const blog = await this.blogs
        .findOne({ _id: id, ...IS_LIVE }, null, BY_ID)
        .select(['live.tagKeys', 'live.titleWords', 'live.descriptionWords'])
        .setOptions({ ...options, ...PUBLIC_READ })
        .lean<{ live: SimilarSource } | null>();
      if (!blog) throw new BlogNotFoundError();
      const terms = termsOf(blog.live);
      if (terms.length === 0) return [];
      const search = candidatesPipeline(terms, keysPerTerm(terms));
      const lists = await this.blogs.aggregate<CandidateList>(search, {
        ...options,
        ...PUBLIC_READ,
      });
      const candidates = chooseCandidates(terms, lists, id);
      if (candidates.length === 0) return [];
      const scoring = scoringPipeline(candidates, blog.live);
      const similar = await this.blogs.aggregate<ListingItemSource>(scoring, {
        ...options,
        ...PUBLIC_READ,
        ...BY_ID,
      });
      return similar.map(toListingItemView);
    });
  }
}

/**
 * What comes after a cursor. Two ranges of the index that are merged in its order, so that as many
 * keys are examined as blogs are returned, also among many of the same time. Each says all of the
 * filter: MongoDB would else make one range of both, and look at every key of that time.
 */
function after({ at, id }: Cursor, filter: QueryFilter<Blog>): QueryFilter<Blog> {
  return {
    $or: [
      { $and: [filter, { 'live.at': { $lt: at } }] },
      { $and: [filter, { 'live.at': at, _id: { $lt: id } }] },
    ],
  };
}
