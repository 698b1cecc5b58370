import { Injectable } from '@nestjs/common';
import { Bulkhead } from '../../../platform/overload/bulkhead/bulkhead.js';
import { EXPENSIVE_READ_SLOTS, KEEP_FREE_MS } from '../../../platform/overload/expensive-reads.js';
import { TooManyExpensiveReadsError } from '../../../platform/overload/overload.errors.js';

const LIMITS = {
  maxConcurrent: EXPENSIVE_READ_SLOTS,
  maxQueued: 50,
  maxWaitMs: 2_000,
  // For this time after a client prefix has asked for a read, no other client prefix that holds a slot gets the
  // last free slot. A free slot also leaves more of the processor to cheap reads.
  keepFreeMs: KEEP_FREE_MS,
} as const;

/**
 * The bulkhead of searches, similar blogs, deep pages, totals, feeds and sitemaps. All share one
 * bulkhead, because they load the same processor and the same MongoDB. `run` throws
 * TooManyExpensiveReadsError when it refuses a read.
 */
@Injectable()
export class ExpensiveReadsService extends Bulkhead {
  constructor() {
    super(LIMITS, () => new TooManyExpensiveReadsError());
  }
}
