/**
 * How often a randomised test repeats: few enough for every `npm test`, or as many as
 * `npm run test:long` asks for.
 */
export function runs(counts: { readonly short: number; readonly long: number }): number {
  return isLong ? counts.long : counts.short;
}

/** `npm run test:long` sets it; tests have no other setting. */
const isLong = process.env['PRESSROOM_TEST_LONG'] === 'on';

/** The deadline of such a test, in milliseconds. */
export const RUNS_DEADLINE_MS = isLong ? 6 * 3_600_000 : 180_000;
