const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/**
 * How long to wait before a worker that has ended is replaced, in milliseconds: doubled each time
 * that it ends again at once, up to half a minute.
 *
 * @param quickEnds how often in a row one has ended soon after its start
 */
export function restartDelay(quickEnds: number): number {
  return Math.min(FIRST_MS * 2 ** quickEnds, LONGEST_MS);
}
