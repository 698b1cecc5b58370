import ms, { type StringValue } from 'ms';

/** Stricter than the package `ms`, which also accepts `1.5 hours` and a number without a unit. */
export const DURATION_PATTERN = /^[1-9]\d{0,8}(ms|s|m|h|d)$/;

/**
 * Reads a duration such as `15m` or `14d`.
 *
 * @param text a whole number and one of the units ms, s, m, h, d
 * @returns milliseconds
 * @throws RangeError for any other text
 */
export function parseDuration(text: string): number {
  if (!DURATION_PATTERN.test(text)) {
    throw new RangeError(`"${text}" is not a duration such as 15m or 14d`);
  }
  return ms(text as StringValue);
}
