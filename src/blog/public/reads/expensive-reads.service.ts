import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Bulkhead } from '../../../platform/overload/bulkhead/bulkhead.js';
import { TooManyExpensiveReadsError } from '../blog-public.errors.js';

/**
 * All cores but one, so that cheap reads need not wait for expensive ones, if MongoDB runs on the same machine: two at
 * least, so that one that hangs does not hold up all others. A search sends a dozen short commands in turn: with
 * more than three at a time none would be done sooner.
 */
export const EXPENSIVE_READ_SLOTS = Math.min(Math.max(availableParallelism() - 1, 2), 3);

/** For how long after its last expensive read a network is about, and others leave place for its next one. */
export const KEEP_FREE_MS = 10_000;

const LIMITS = {
  ...{ maxConcurrent: EXPENSIVE_READ_SLOTS, maxQueued: 50, maxWaitMs: 2_000 },
  // The cheap reads of others then share the processor with one expensive read fewer.
  keepFreeMs: KEEP_FREE_MS,
} as const;

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
