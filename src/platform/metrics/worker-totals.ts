import { AggregatorRegistry, type Registry } from 'prom-client';
import { valuesOf, type MetricValues } from './metric.js';
import { WORKER_ENDS } from './sources/process-metrics.js';

/** Types of metrics that only grow. A gauge of a process that has ended says nothing any more. */
const GROWING: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);

/**
 * Adds up the metrics of worker processes. What ended workers have counted stays in the sums: a counter
 * that went back would look to Prometheus like a restart of the whole, and `rate()` would take the rest
 * of the sum for new events. What a worker counted after it was last asked is lost with it.
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
   * Keeps the values of a worker that has ended. Call it once for each.
   *
   * @param how `retired` does not count as an end
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
  // The list of the lists that `getMetricsAsJSON` returns; the library's types call it a list of
  // objects.
  return AggregatorRegistry.aggregate(processes as unknown as object[]);
}
