import ms from 'ms';

/** Pauses in milliseconds between a failed attempt and the next one; the last pause repeats. */
const PAUSES = [ms('5s'), ms('1m'), ms('10m'), ms('1h'), ms('6h')] as const;

/** A delivery is given up if its next attempt would be more than this time, in milliseconds, after the first one. */
const GIVEN_UP_AFTER = ms('3d');

/**
 * @param attempts number of failed attempts
 * @returns null when the delivery is given up
 */
export function nextAttempt(
  { firstAt, attempts }: { readonly firstAt: Date; readonly attempts: number },
  now: Date,
): Date | null {
  const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? PAUSES[0];
  const next = now.getTime() + pause;
  return next - firstAt.getTime() > GIVEN_UP_AFTER ? null : new Date(next);
}
