import { describe, expect, it } from '@jest/globals';
import type { MetricValues } from './metric.js';
import { WorkerTotals } from './worker-totals.js';

/** The metrics of a worker after this many requests, with one in flight. */
function metricsAfter(requests: number): MetricValues[] {
  const metric = { help: 'x', aggregator: 'sum' };
  return [
    {
      ...metric,
      name: 'requests_total',
      type: 'counter',
      values: [{ value: requests, labels: {} }],
    },
    { ...metric, name: 'in_flight', type: 'gauge', values: [{ value: 1, labels: {} }] },
  ];
}

describe('WorkerTotals', () => {
  const valueOf = async (totals: WorkerTotals, name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await totals.text())?.[1]);

  it('should never decrease a counter when workers end, but forget the gauges of these workers', async () => {
    const totals = new WorkerTotals();
    const counts: number[] = [];
    const count = async (): Promise<unknown> =>
      counts.push(await valueOf(totals, 'requests_total'));
    totals.update(1, metricsAfter(4));
    totals.update(1, metricsAfter(5));
    totals.update(2, metricsAfter(10));
    await count();
    totals.end(1);
    await count();
    totals.update(3, metricsAfter(1));
    totals.update(2, metricsAfter(11));
    await count();
    totals.end(2);
    totals.end(3);
    await count();
    // The system may reuse a process id.
    totals.update(1, metricsAfter(2));
    await count();
    expect(counts).toEqual([15, 15, 17, 17, 19]);
    expect(await valueOf(totals, 'in_flight')).toBe(1);
    expect(await valueOf(totals, 'pressroom_worker_ends_total')).toBe(3);
  });

  it('should keep the counts of a worker that was replaced on request, without counting its end', async () => {
    const totals = new WorkerTotals();
    totals.update(1, metricsAfter(5));
    totals.end(1, 'retired');
    expect(await valueOf(totals, 'requests_total')).toBe(5);
    expect(await totals.text()).not.toContain('pressroom_worker_ends_total');
  });

  it('should count the end of a worker that has sent nothing', async () => {
    const totals = new WorkerTotals();
    totals.end(1);
    expect(await valueOf(totals, 'pressroom_worker_ends_total')).toBe(1);
  });
});
