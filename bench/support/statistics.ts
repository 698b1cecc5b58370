import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { quantile as quantileOf, shuffle } from 'simple-statistics';

/** p50, p99 and p99.9 of times in milliseconds. */
export type Latencies = { p50: number; p99: number; p999: number };

/** Draws numbers from 0 to 1, without 1. */
export type Random = () => number;

/** @returns NaN for an empty list, such as when no request was answered */
export function quantile(values: readonly number[], share: number): number {
  return values.length === 0 ? NaN : quantileOf(values, share);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The smallest and the largest value. */
export function range(values: readonly number[]): [number, number] {
  return [quantile(values, 0), quantile(values, 1)];
}

export function latenciesOf(milliseconds: readonly number[]): Latencies {
  return {
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
    p999: quantile(milliseconds, 0.999),
  };
}

/** The medians of each number that the measures have; there is at least one. */
export function mediansOf<Measure extends Record<string, number>>(
  measures: readonly Measure[],
): Measure {
  const fields = Object.keys(measures[0] ?? {});
  return Object.fromEntries(
    fields.map((field) => [field, median(measures.map((measure) => measure[field] ?? NaN))]),
  ) as Measure;
}

/** Draws the same numbers for the same seed, so that every run generates the same data. */
export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat64(generator);
}

/** @returns a copy in another order, the same in every run */
export function shuffled<Item>(values: readonly Item[], seed = 1): Item[] {
  return shuffle([...values], randomOf(seed));
}

/** The element at a position that counts from the start again after the last. */
export function cycled<Item>(values: readonly Item[], position: number): Item {
  return values[position % values.length] as Item;
}
