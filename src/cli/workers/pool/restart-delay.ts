const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/**
 * Delay before an ended worker is replaced (exponential backoff from 100 ms to 30 s).
 *
 * @param quickEnds how many workers in a row ended soon after their start
 * @returns milliseconds
 */
export function restartDelay(quickEnds: number): number {
  return Math.min(FIRST_MS * 2 ** quickEnds, LONGEST_MS);
}
