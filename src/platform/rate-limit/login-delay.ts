/**
 * The lockout after a failed login attempt: 1, 2, 4 … seconds (exponential backoff).
 *
 * @param excess failures, this one included, minus free attempts; 0 for the last free attempt
 * @returns seconds; 0 for no lockout
 */
export function loginDelay(excess: number, maxSeconds: number): number {
  return excess < 0 ? 0 : Math.min(maxSeconds, 2 ** excess);
}
