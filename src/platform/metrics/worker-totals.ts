import { AggregatorRegistry, type Registry } from 'prom-client';
import { valuesOf, type MetricValues } from './metric.js';
import { WORKER_ENDS } from './sources/process-metrics.js';

/** Types of metrics that only grow. A gauge of a process that has ended says nothing any more. */
const GROWING: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);

/**
 * Adds up the metrics of worker processes. The counts of workers that have ended stay in the sums. Otherwise
 * a counter would fall, which Prometheus takes for a restart from 0, and `rate()` would count the whole
 * remaining sum as new events. What a worker counts after its last `update` is lost when it ends.
 */
export class WorkerTotals {
  private readonly latest = new Map<number, readonly MetricValues[]>();
  private ended: readonly MetricValues[] = [];

  /**
   * Replaces the values of a worker.
   *
   * @param worker process id of the worker
   */
  update(worker: number, values: readonly MetricValues[]): void {
    this.latest.set(worker, values);
  }

  /**
   * Keeps the counts of a worker that has ended, and drops its gauges. Call it once per worker.
   *
   * @param how `failed` is counted in WORKER_ENDS; `retired` (replaced on purpose) is not
   */
  end(worker: number, how: 'failed' | 'retired' = 'failed'): void {
    const values = this.latest.get(worker) ?? [];
    this.latest.delete(worker);
    const growing = values.filter(({ type }) => GROWING.has(type));
    const end = { ...valuesOf(WORKER_ENDS), values: [{ value: 1, labels: {} }] };
    this.ended = sumOf([
      this.ended,
      growing,
      how === 'failed' ? [end] : [],
    ]).getMetricsAsArray() as never;
  }

  text(): Promise<string> {
    return sumOf([...this.latest.values(), this.ended]).metrics();
  }
}

function sumOf(processes: readonly (readonly MetricValues[])[]): Registry {
  // The argument is a list of the lists that `getMetricsAsJSON` returns. prom-client's types call it a list
  // of objects.
  return AggregatorRegistry.aggregate(processes as unknown as object[]);
}
