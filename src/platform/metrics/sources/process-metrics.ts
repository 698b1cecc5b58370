import { createRequire } from 'node:module';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Metric } from '../metric.js';

const { version } = createRequire(import.meta.url)('../../../../package.json') as {
  version: string;
};

/**
 * Counts failed worker processes. Each process reports 0, and the supervisor adds the failures that it has
 * seen.
 */
export const WORKER_ENDS: Metric = {
  name: 'pressroom_worker_ends_total',
  type: 'counter',
  help: 'Worker processes that have failed and were replaced.',
  read: () => [{ value: 0 }],
};

/** Metrics of any process of Pressroom. */
export const PROCESS_METRICS: readonly Metric[] = [
  {
    name: 'pressroom_build_info',
    type: 'gauge',
    aggregator: 'first',
    help: 'The version of Pressroom and of Node; always 1.',
    read: () => [{ value: 1, labels: { version, node: process.version } }],
  },
  {
    name: 'pressroom_processes',
    type: 'gauge',
    help: 'Processes that answer requests.',
    read: () => [{ value: 1 }],
  },
  WORKER_ENDS,
  {
    name: 'pressroom_event_loop_busy_seconds_total',
    type: 'counter',
    help: 'Seconds that the event loop has worked: its rate by process is the share of a core.',
    read: () => [{ value: performance.eventLoopUtilization().active / 1_000 }],
  },
];

/** @returns a registry with the metrics that prom-client collects of a process and of Node */
export function defaultMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of registry.getMetricsAsArray()) {
    // Gauges whose name ends with `_total` are removed: Prometheus reserves this ending for counters, and to
    // read these gauges of prom-client, Node lists every open handle.
    if (metric.name.endsWith('_total') && 'set' in metric) registry.removeSingleMetric(metric.name);
  }
  return registry;
}
