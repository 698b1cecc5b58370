import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { quantile as quantileOf, shuffle } from 'simple-statistics';

/** p50, p99 and p99.9 of times in milliseconds. */
export type Latencies = { p50: number; p99: number; p999: number };

/** Draws a number that is at least 0 and less than 1. */
export type Random = () => number;

/** @returns NaN for an empty list, such as when no request was answered */
export function quantile(values: readonly number[], share: number): number {
  return values.length === 0 ? NaN : quantileOf(values, share);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @returns the smallest and the largest value */
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

/** @param measures at least one @returns the median of each field of the measures */
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

/** @returns a shuffled copy, in the same order in every run */
export function shuffled<Item>(values: readonly Item[], seed = 1): Item[] {
  return shuffle([...values], randomOf(seed));
}

/** @returns the element at a position; after the last element the first one follows */
export function cycled<Item>(values: readonly Item[], position: number): Item {
  return values[position % values.length] as Item;
}
