import { availableParallelism } from 'node:os';

/**
 * How many expensive reads run at a time: on all cores but one, so that cheap reads need not wait for expensive ones,
 * if MongoDB runs on the same machine; two at least, so that one that hangs does not hold up all others. A search
 * sends a dozen short commands in turn: with more than three at a time none would be done sooner.
 */
export const EXPENSIVE_READ_SLOTS = Math.min(Math.max(availableParallelism() - 1, 2), 3);

/** For how long after its last expensive read a network is about, and others leave place for its next one. */
export const KEEP_FREE_MS = 10_000;

/** An expensive page skips more keys than this. */
export const MAX_CHEAP_SKIP = 10_000;
