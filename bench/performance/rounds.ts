import { mediansOf, range } from '../support/statistics.ts';

/** Minimum length of the warm-up in seconds, in which V8 compiles the code that runs often. */
const WARM_UP_SECONDS = 2;

type Numbers = Record<string, number>;

/** Measures a program for a time. */
export type Program<Measure extends Numbers> = (order: { seconds: number }) => Promise<Measure>;

export interface Programs<Measure extends Numbers> {
  readonly ours: Program<Measure>;
  readonly baseline: Program<Measure>;
  /** Name of the figure whose ratio is computed. */
  readonly of: keyof Measure & string;
}

export type Rounds<Measure extends Numbers> = Awaited<ReturnType<typeof measureRounds<Measure>>>;

/**
 * Measures two programs alternately (ours, baseline, baseline, ours, and so on), so that changes in the speed of the
 * machine affect both. Both are warmed up first.
 * @returns the medians of all rounds with their `ratio`, and the `spread` of the ratios of single rounds
 */
export async function measureRounds<Measure extends Numbers>(
  { ours, baseline, of }: Programs<Measure>,
  { count, seconds }: { count: number; seconds: number },
) {
  const measures = { ours: [] as Measure[], baseline: [] as Measure[] };
  const programs = [
    ['ours', ours],
    ['baseline', baseline],
  ] as const;
  const warmUpSeconds = Math.max(WARM_UP_SECONDS, seconds / 2);
  for (const [, measure] of programs) await measure({ seconds: warmUpSeconds });
  for (let round = 0; round < count; round += 1) {
    for (const [name, measure] of round % 2 === 0 ? programs : programs.toReversed()) {
      measures[name].push(await measure({ seconds }));
    }
  }
  const medians = { ours: mediansOf(measures.ours), baseline: mediansOf(measures.baseline) };
  const ratioOf = (one?: Measure, other?: Measure) => (one?.[of] ?? NaN) / (other?.[of] ?? NaN);
  const ratios = measures.ours.map((measure, round) => ratioOf(measure, measures.baseline[round]));
  return {
    ...medians,
    ratio: ratioOf(medians.ours, medians.baseline),
    spread: range(ratios),
    measures,
  };
}
