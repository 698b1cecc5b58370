import { availableParallelism } from 'node:os';

/**
 * Number of expensive reads that run at a time: one less than the number of cores, so that cheap reads need
 * not wait for them if MongoDB runs on the same machine. At least two run, so that a read that hangs does not
 * block all others. At most three run: a search sends a dozen short commands one after another, and with more
 * searches at a time none would be done sooner.
 */
export const EXPENSIVE_READ_SLOTS = Math.min(Math.max(availableParallelism() - 1, 2), 3);

/** Milliseconds for which a slot is kept free for a client prefix after its last expensive read. */
export const KEEP_FREE_MS = 10_000;

/** Number of skipped index keys above which reading a page is an expensive read. */
export const MAX_CHEAP_SKIP = 10_000;
