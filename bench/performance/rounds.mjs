/** Until V8 has compiled what is hot, at least. */
const WARM_UP_SECONDS = 2;

/** The middle one; of an even number the mean of the two in the middle. NaN of nothing. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** Nearest rank; 0 is the least, 1 the most. NaN of nothing. */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** The medians of each number that the measures have. */
export function medianMeasure(measures) {
  return Object.fromEntries(
    Object.keys(measures[0]).map((field) => [
      field,
      median(measures.map((measure) => measure[field])),
    ]),
  );
}

/**
 * Measures two programs in turn, so that a machine that slows down slows both: ours, baseline,
 * baseline, ours, and so on. Nobody's first seconds count: both are warmed up before.
 *
 * @param ours and baseline: functions of `{ seconds }` that measure once
 * @param of what the ratio is made; the rate unless told
 */
export async function measureRounds({
  ours,
  baseline,
  count,
  seconds,
  warmUp = true,
  of = 'rate',
}) {
  const measures = { ours: [], baseline: [] };
  const programs = Object.entries({ ours, baseline });
  if (warmUp) {
    const warmUpSeconds = Math.max(WARM_UP_SECONDS, seconds / 2);
    for (const [, measure] of programs) await measure({ seconds: warmUpSeconds });
  }
  for (let round = 0; round < count; round += 1) {
    for (const [name, measure] of round % 2 === 0 ? programs : programs.toReversed()) {
      measures[name].push(await measure({ seconds }));
    }
  }
  const ratios = measures.ours.map((measure, round) => measure[of] / measures.baseline[round][of]);
  const medians = {
    ours: medianMeasure(measures.ours),
    baseline: medianMeasure(measures.baseline),
  };
  return {
    ...medians,
    ratio: medians.ours[of] / medians.baseline[of],
    spread: [Math.min(...ratios), Math.max(...ratios)],
    measures,
  };
}
