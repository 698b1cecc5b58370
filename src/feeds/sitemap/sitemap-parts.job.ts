import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { EDITORIAL_INDEXES } from '../../blog/core/blog.indexes.js';
import { Blog } from '../../blog/core/blog.schema.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { modelFor } from '../../platform/caching/causal-read-barrier.js';
import { Clock } from '../../platform/clock.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import type { ClientPrefixOf } from '../../platform/http/client-address/client-prefix.decorator.js';
import type { Cursor } from '../../platform/http/pagination/cursor.js';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import { FIRST_START } from '../dto/sitemap-query.js';
import { SitemapStarts } from './sitemap-parts.schema.js';
import { compareCursors, SitemapReader } from './sitemap-reader.js';

/**
 * A part with more than `max` articles is cut after `usual`. Between two runs, a part may grow from `max` to the
 * 50,000 URLs of the protocol: an article that is published again, or was imported, has an old date.
 */
const SIZES = { usual: 40_000, max: 45_000 };

/** Number of changes after which the positions are found again. */
const CHANGES = 1_000;
/** Milliseconds after which they are found again in any case. */
const MAX_AGE_MS = 24 * 3_600_000;

const ID = { _id: 'starts' } as const;

/**
 * Keeps where the parts of the sitemap begin, so that a request for the index need not walk all articles. Only
 * the end moves as articles are published. A part whose articles are taken down shrinks, until it fits into the
 * one before it; a part that grows is cut.
 */
@Injectable()
export class SitemapParts implements BackgroundJob, OnModuleInit {
  readonly name = 'parts of the sitemap';
  readonly everyMs = 10_000;
  private readonly sizes: Readonly<typeof SIZES> = SIZES;

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectModel(SitemapStarts.name) private readonly stored: Model<SitemapStarts>,
    private readonly reader: SitemapReader,
    private readonly coherence: CacheCoherenceService,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  /**
   * The starts of all parts, in order; at least one.
   *
   * @throws TooManyExpensiveReadsError before the first run of the job
   */
  async starts(clientPrefixOf: ClientPrefixOf): Promise<readonly Cursor[]> {
    return (await this.kept())?.starts ?? this.find([], clientPrefixOf);
  }

  async isDue(): Promise<boolean> {
    const kept = await this.kept();
    if (!kept || this.clock.now().getTime() - kept.foundAt.getTime() > MAX_AGE_MS) return true;
    if ((await this.blogs.estimatedDocumentCount()) - kept.blogs >= CHANGES) return true;
    const changed = { published: true, updatedAt: { $gte: kept.foundAt } };
    const options = { skip: CHANGES - 1, hint: EDITORIAL_INDEXES.allPublished, lean: true };
    return (await this.blogs.findOne(changed, { _id: 1 }, options)) !== null;
  }

  async run(): Promise<null> {
    const foundAt = this.clock.now();
    const blogs = await this.blogs.estimatedDocumentCount();
    const starts = await this.find((await this.kept())?.starts ?? [], () => this.name);
    await this.stored.updateOne(ID, { starts, foundAt, blogs }, { upsert: true, ...BY_ID });
    return null;
  }

  private kept(): Promise<SitemapStarts | null> {
    return this.coherence.publicRead((options) =>
      modelFor(this.stored, options).findOne(ID, null, { ...options, ...BY_ID, lean: true }),
    );
  }

  /** @param kept starts that stay, unless a part is too large, or fits into the one before it */
  private async find(kept: readonly Cursor[], clientPrefixOf: ClientPrefixOf): Promise<Cursor[]> {
    const starts: Cursor[] = [];
    for (let next: Cursor | null = FIRST_START; next;) {
      const start: Cursor = next;
      starts.push(start);
      const endAfter = (count: number) => this.reader.positionAfter(start, count, clientPrefixOf);
      const keptUpTo = (end: Cursor) =>
        kept.filter((one) => compareCursors(one, start) > 0 && compareCursors(one, end) <= 0);
      const usualEnd = await endAfter(this.sizes.usual);
      next = usualEnd && (keptUpTo(usualEnd).at(-1) ?? null);
      if (!usualEnd || next) continue;
      const maxEnd = await endAfter(this.sizes.max);
      next = maxEnd && (keptUpTo(maxEnd)[0] ?? usualEnd);
    }
    return starts;
  }
}
