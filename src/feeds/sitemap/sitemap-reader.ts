import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { LATEST_INDEX } from '../../blog/core/blog.indexes.js';
import { Blog, IS_LIVE } from '../../blog/core/blog.schema.js';
import { ExpensiveReadsService } from '../../blog/public/reads/expensive-reads.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { modelFor, type PublicReadOptions } from '../../platform/caching/causal-read-barrier.js';
import type { ClientPrefixOf } from '../../platform/http/client-address/client-prefix.decorator.js';
import type { Cursor } from '../../platform/http/pagination/cursor.js';
import { withHint, type IndexKeys } from '../../platform/database/query-hints.js';
import { FIRST_START, isFirst } from '../dto/sitemap-query.js';

/** The fields of an article that a sitemap needs. */
export interface SitemapEntry {
  readonly _id: Types.ObjectId;
  readonly live: { readonly slug: string; readonly at: Date; readonly updatedAt?: Date };
}

type Position = Pick<SitemapEntry, '_id'> & { readonly live: Pick<SitemapEntry['live'], 'at'> };

/** Number of articles in one query. */
const BATCH_SIZE = 1_000;

const OLDEST_FIRST = { 'live.at': 1, _id: 1 } as const;

/**
 * Reads live articles in the order of their publication, the oldest first, so that a new article
 * changes only the last part of a sitemap. Each query waits for a slot of the bulkhead, and then for
 * the causal read barrier.
 */
@Injectable()
export class SitemapReader {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly coherence: CacheCoherenceService,
    private readonly expensive: ExpensiveReadsService,
  ) {}

  /**
   * Finds the positions at which the parts begin, at least one. Reads each key of the index once,
   * and no document.
   *
   * @param sizeOf the largest number of articles in the part that begins at a position
   * @throws TooManyExpensiveReadsError
   */
  async partStarts(
    sizeOf: (start: Cursor) => number,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<readonly Cursor[]> {
    const starts = [FIRST_START];
    for (;;) {
      const start = starts.at(-1) ?? FIRST_START;
      const end = await this.positionAfter(start, sizeOf(start), clientPrefixOf);
      if (end === null) return starts;
      starts.push(end);
    }
  }

  /**
   * Reads the articles after a position in batches, each when the consumer requests it.
   *
   * @param max largest number of articles
   * @throws TooManyExpensiveReadsError
   */
  async *entriesAfter(
    start: Cursor,
    max: number,
    clientPrefixOf: ClientPrefixOf,
  ): AsyncGenerator<readonly SitemapEntry[]> {
    let position = start;
    for (let remaining = max; remaining > 0; remaining -= BATCH_SIZE) {
      const size = Math.min(remaining, BATCH_SIZE);
      const entries = await this.batchAfter(position, size, clientPrefixOf);
      yield entries;
      const last = entries.at(-1);
      if (!last || entries.length < size) return;
      position = { at: last.live.at, id: last._id };
    }
  }

  /** @returns the position of the last article of a part; null if no article follows the part */
  private async positionAfter(
    start: Cursor,
    partSize: number,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<Cursor | null> {
    const [last, next] = await this.read(clientPrefixOf, (options, hint) =>
      modelFor(this.blogs, options)
        .find(articlesAfter(start))
        .sort(OLDEST_FIRST)
        .skip(partSize - 1)
        .limit(2)
        .select({ _id: 1, 'live.at': 1 })
        .setOptions({ ...options, ...hint })
        .lean<Position[]>(),
    );
    return last && next ? { at: last.live.at, id: last._id } : null;
  }

  private async batchAfter(
    start: Cursor,
    size: number,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<SitemapEntry[]> {
    return this.read(clientPrefixOf, (options, hint) =>
      modelFor(this.blogs, options)
        .find(articlesAfter(start))
        .sort(OLDEST_FIRST)
        .limit(size)
        .select({ 'live.slug': 1, 'live.at': 1, 'live.updatedAt': 1 })
        .setOptions({ ...options, ...hint, batchSize: size + 1 })
        .lean<SitemapEntry[]>(),
    );
  }

  private async read<Result>(
    clientPrefixOf: ClientPrefixOf,
    query: (options: PublicReadOptions, hint: { readonly hint?: IndexKeys }) => Promise<Result>,
  ): Promise<Result> {
    const read = (): Promise<Result> =>
      this.coherence.publicRead((options) =>
        withHint(LATEST_INDEX, (hint) => query(options, hint)),
      );
    return this.expensive.run(read, clientPrefixOf());
  }
}

/**
 * Selects the articles after a cursor as two ranges of one index, which MongoDB merges in the order
 * of the index. Each range repeats the partial filter of the index, so that MongoDB can use it.
 */
function articlesAfter({ at, id }: Cursor): QueryFilter<Blog> {
  if (isFirst({ at })) return IS_LIVE;
  return {
    $or: [
      { $and: [IS_LIVE, { 'live.at': { $gt: at } }] },
      { $and: [IS_LIVE, { 'live.at': at, _id: { $gt: id } }] },
    ],
  };
}
