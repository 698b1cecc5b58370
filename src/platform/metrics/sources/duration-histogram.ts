import type { Sample } from '../metric.js';

/**
 * The upper bounds of the buckets in seconds. They are few, because each is a time series for each
 * combination of labels.
 */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5] as const;

/** Counts durations in plain numbers: the histogram of prom-client would cost a microsecond per request. */
export class DurationHistogram {
  /** Number of durations in each bucket, not cumulative; the last bucket has no upper bound. */
  private readonly counts: number[] = Array.from({ length: BOUNDS.length + 1 }, () => 0);
  private sum = 0;

  observe(seconds: number): void {
    let bucket = 0;
    while (seconds > (BOUNDS[bucket] ?? Infinity)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += seconds;
  }

  *samples(name: string, labels: Sample['labels']): Generator<Sample> {
    let count = 0;
    for (const [bucket, inBucket] of this.counts.entries()) {
      count += inBucket;
      const le = BOUNDS[bucket] ?? '+Inf';
      yield { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
    }
    yield { metricName: `${name}_sum`, labels: labels ?? {}, value: this.sum };
    yield { metricName: `${name}_count`, labels: labels ?? {}, value: count };
  }
}
