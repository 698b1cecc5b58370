import { Injectable } from '@nestjs/common';
import { Bulkhead } from '../../common/bulkhead/bulkhead.js';
import { TooManyExpensiveReadsError } from '../blog-public.errors.js';

/** A search sends a dozen short commands in turn: two alone would leave server and MongoDB idle half the time. */
const LIMITS = { maxConcurrent: 3, maxQueued: 50, maxWaitMs: 2_000 } as const;

/**
 * The bulkhead of searches, similar blogs, deep pages, totals, feeds and sitemaps. It is one for all,
 * because they load the same processor and the same MongoDB. `run` throws TooManyExpensiveReadsError.
 */
@Injectable()
export class ExpensiveReadsService extends Bulkhead {
  constructor() {
    super(LIMITS, () => new TooManyExpensiveReadsError());
  }
}
