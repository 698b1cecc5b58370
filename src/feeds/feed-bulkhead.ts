import { Injectable } from '@nestjs/common';
import { TooManyExpensiveReadsError } from '../blog-public/blog-public.errors.js';
import { Bulkhead } from '../common/bulkhead/bulkhead.js';

/** Two reads at a time: a feed may hold 3 MB of text, and with `PUBLIC_FEEDS` anybody may ask for it. */
const LIMITS = { maxConcurrent: 2, maxQueued: 50, maxWaitMs: 2_000 } as const;

/** The bulkhead that feeds and sitemap share. `run` throws TooManyExpensiveReadsError. */
@Injectable()
export class FeedBulkhead extends Bulkhead {
  constructor() {
    super(LIMITS, () => new TooManyExpensiveReadsError());
  }
}
