import ms, { type StringValue } from 'ms';

/**
 * The form of a duration. It is stricter than the package `ms`, which also accepts `1.5 hours` and a number
 * without a unit.
 */
export const DURATION_PATTERN = /^[1-9]\d{0,8}(ms|s|m|h|d)$/;

/**
 * @param text in the form of DURATION_PATTERN
 * @returns milliseconds
 */
export function parseDuration(text: string): number {
  return ms(text as StringValue);
}
