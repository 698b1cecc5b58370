/** When something that has failed is attempted again. All times are in milliseconds. */
export interface RetryPlan {
  /** Pauses between a failed attempt and the next one; the last pause repeats. */
  readonly pauses: readonly [number, ...number[]];
  /** It is given up if the next attempt would be more than this time after the first one. */
  readonly givenUpAfter: number;
}

/**
 * @param attempts number of failed attempts, 1 or more
 * @returns null when there is no further attempt
 */
export function nextAttempt(
  { pauses, givenUpAfter }: RetryPlan,
  { firstAt, attempts }: { readonly firstAt: Date; readonly attempts: number },
  now: Date,
): Date | null {
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? pauses[0];
  const next = now.getTime() + pause;
  return next - firstAt.getTime() > givenUpAfter ? null : new Date(next);
}
