import { availableParallelism } from 'node:os';

/**
 * Number of expensive reads that run at a time. All cores but one work on them, so that cheap reads
 * need not wait for expensive ones if MongoDB runs on the same machine. At least two run, so that
 * one that hangs does not hold up all others. A search sends a dozen short commands in turn: with
 * more than three at a time none would be done sooner.
 */
export const EXPENSIVE_READ_SLOTS = Math.min(Math.max(availableParallelism() - 1, 2), 3);

/** Milliseconds after its last expensive read for which a slot is kept free for a client prefix. */
export const KEEP_FREE_MS = 10_000;

/** Number of skipped keys above which a page is expensive. */
export const MAX_CHEAP_SKIP = 10_000;
