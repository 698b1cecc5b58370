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
import { isFirst } from '../dto/sitemap-query.js';

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
   * Reads the articles after `start` in batches, each when the consumer requests it.
   *
   * @param end position of the last article that may be read; null to read on to the newest
   * @param max largest number of articles
   * @throws TooManyExpensiveReadsError
   */
  async *entriesBetween(
    start: Cursor,
    end: Cursor | null,
    max: number,
    clientPrefixOf: ClientPrefixOf,
  ): AsyncGenerator<readonly SitemapEntry[]> {
    let position = start;
    for (let remaining = max; remaining > 0; remaining -= BATCH_SIZE) {
      const size = Math.min(remaining, BATCH_SIZE);
      const read = await this.batchAfter(position, size, clientPrefixOf);
      const entries = read.filter(
        (entry) => end === null || compareCursors(positionOf(entry), end) <= 0,
      );
      yield entries;
      const last = entries.at(-1);
      if (!last || entries.length < size) return;
      position = positionOf(last);
    }
  }

  /**
   * Walks index keys, and reads no document.
   *
   * @returns the position of the last of `count` articles after `start`; null if no article follows it
   * @throws TooManyExpensiveReadsError
   */
  async positionAfter(
    start: Cursor,
    count: number,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<Cursor | null> {
    const [last, next] = await this.read(clientPrefixOf, (options, hint) =>
      modelFor(this.blogs, options)
        .find(articlesAfter(start))
        .sort(OLDEST_FIRST)
        .skip(count - 1)
        .limit(2)
        .select({ _id: 1, 'live.at': 1 })
        .setOptions({ ...options, ...hint })
        .lean<Position[]>(),
    );
    return last && next ? positionOf(last) : null;
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

function positionOf({ _id, live: { at } }: Position): Cursor {
  return { at, id: _id };
}

/** Compares two positions in the order of the sitemap, for `sort`. */
export function compareCursors(one: Cursor, other: Cursor): number {
  return one.at.getTime() - other.at.getTime() || Buffer.compare(one.id.id, other.id.id);
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
