/** Whether the tests run in full. The script `test:long` of package.json sets the variable. */
export const isLong = process.env['PRESSROOM_TEST_LONG'] === 'on';

/** The number of runs of a randomised test: `short` for `npm test`, `long` for `npm run test:long`. */
export function runs(counts: { readonly short: number; readonly long: number }): number {
  return isLong ? counts.long : counts.short;
}

/** The item at an index that may be beyond the end. After the last item, the list begins again. */
export function cycled<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}

/** The timeout of a randomised test, in milliseconds. */
export const RUNS_DEADLINE_MS = isLong ? 6 * 3_600_000 : 180_000;

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/** About `short` entries, spread over the whole list, for `npm test`; all entries for `npm run test:long`. */
export function sample<T>(list: readonly T[], short: number): readonly T[] {
  if (isLong) return list;
  const fractions = Array.from({ length: short }, (_, index) => (index * GOLDEN_RATIO) % 1);
  const chosen = new Set(fractions.map((fraction) => Math.floor(fraction * list.length)));
  return list.filter((_, index) => chosen.has(index));
}
