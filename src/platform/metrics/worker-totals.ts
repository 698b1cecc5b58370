import { AggregatorRegistry, type Registry } from 'prom-client';
import { valuesOf, type MetricValues } from './metric.js';
import { WORKER_ENDS } from './sources/process-metrics.js';

/** What only grows. A gauge of a process that has ended says nothing any more. */
const GROWING: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);

/**
 * Adds up the metrics of worker processes. What ended workers have counted stays in the sums: a counter
 * that went back would look to Prometheus like a restart of the whole, and `rate()` would take the rest
 * of the sum for new events. What a worker counted after it was last asked is lost with it.
 */
export class WorkerTotals {
  private readonly latest = new Map<number, readonly MetricValues[]>();
  private ended: readonly MetricValues[] = [];

  /** @param worker its process id */
  update(worker: number, values: readonly MetricValues[]): void {
    this.latest.set(worker, values);
  }

  /** Call it once for each worker that has ended. @param how `retired` does not count as an end */
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
  // Typed as a list of objects, it is a list of the lists that `getMetricsAsJSON` returns.
  return AggregatorRegistry.aggregate(processes as unknown as object[]);
}
