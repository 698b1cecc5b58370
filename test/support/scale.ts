/** Whether this is `npm run test:long`, which sets it; tests have no other setting. */
export const isLong = process.env['PRESSROOM_TEST_LONG'] === 'on';

/** The number of runs of a randomised test: `short` for `npm test`, `long` for `npm run test:long`. */
export function runs(counts: { readonly short: number; readonly long: number }): number {
  return isLong ? counts.long : counts.short;
}

/** The item at an index that may be beyond the end: after the last one comes the first. */
export function cycled<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

/** The timeout of a randomised test, in milliseconds. */
export const RUNS_DEADLINE_MS = isLong ? 6 * 3_600_000 : 180_000;
