const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

export const DURATION_PATTERN = /^([1-9]\d{0,8})(ms|s|m|h|d)$/;

/**
 * Reads a duration such as `15m` or `14d`.
 *
 * @param text a whole number and one of the units ms, s, m, h, d
 * @returns milliseconds
 * @throws RangeError when the text is none; configuration is checked against DURATION_PATTERN first
 */
export function parseDuration(text: string): number {
  const [, amount, unit] = DURATION_PATTERN.exec(text) ?? [];
  const factor = UNITS[unit ?? ''];
  if (amount === undefined || factor === undefined) {
    throw new RangeError(`"${text}" is not a duration such as 15m or 14d`);
  }
  return Number(amount) * factor;
}
