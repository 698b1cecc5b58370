import { describe, expect, it } from '@jest/globals';
import type { MetricValues } from './metric.js';
import { WorkerTotals } from './worker-totals.js';

/** What a worker sends that has served so many requests, of which one is under way. */
function sent(requests: number): MetricValues[] {
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

  it('should never go back, whichever workers end, and forget what they did at that moment', async () => {
    const totals = new WorkerTotals();
    const counts: number[] = [];
    const count = async (): Promise<unknown> =>
      counts.push(await valueOf(totals, 'requests_total'));
    totals.update(1, sent(4));
    totals.update(1, sent(5));
    totals.update(2, sent(10));
    await count();
    totals.end(1);
    await count();
    totals.update(3, sent(1));
    totals.update(2, sent(11));
    await count();
    totals.end(2);
    totals.end(3);
    await count();
    // The system may give a process id again.
    totals.update(1, sent(2));
    await count();
    expect(counts).toEqual([15, 15, 17, 17, 19]);
    expect(await valueOf(totals, 'in_flight')).toBe(1);
    expect(await valueOf(totals, 'pressroom_worker_ends_total')).toBe(3);
  });

  it('should not count a worker that was replaced on request, and keep its counts', async () => {
    const totals = new WorkerTotals();
    totals.update(1, sent(5));
    totals.end(1, 'retired');
    expect(await valueOf(totals, 'requests_total')).toBe(5);
    expect(await totals.text()).not.toContain('pressroom_worker_ends_total');
  });

  it('should count a worker that has ended before it sent anything', async () => {
    const totals = new WorkerTotals();
    totals.end(1);
    expect(await valueOf(totals, 'pressroom_worker_ends_total')).toBe(1);
  });
});
