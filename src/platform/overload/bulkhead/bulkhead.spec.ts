import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Bulkhead, type BulkheadOptions, type Release } from './bulkhead.js';

const REJECTION = new Error('no free slot');

function bulkheadOf(options: Partial<BulkheadOptions> = {}): Bulkhead {
  const all = { maxConcurrent: 2, maxQueued: 3, maxWaitMs: 10_000, ...options };
  return new Bulkhead(all, () => REJECTION);
}

/** @returns the function that frees the slot, or the rejection */
const outcomeOf = (acquired: Promise<Release>): Promise<unknown> =>
  acquired.catch((error: unknown) => error);

describe('Bulkhead', () => {
  it('should grant the free slots, queue up to the limit and reject the rest', async () => {
    const bulkhead = bulkheadOf();
    const active = await Promise.all([bulkhead.acquire(), bulkhead.acquire()]);
    const waiting = [1, 2, 3].map(() => bulkhead.acquire());
    expect(bulkhead.queueLength).toBe(3);
    const others = [bulkhead.acquire(), bulkhead.acquire()].map(outcomeOf);
    expect(await Promise.all(others)).toEqual([REJECTION, REJECTION]);
    for (const release of active) release();
    for (const acquired of waiting) (await acquired)();
    expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([0, 0]);
    expect(bulkhead.rejectedCount).toBe(2);
  });

  it('should pass a freed slot to the queue before a caller that arrives later', async () => {
    const bulkhead = bulkheadOf({ maxConcurrent: 1 });
    const first = await bulkhead.acquire();
    const waiting = bulkhead.acquire();
    first();
    const late = bulkhead.acquire();
    expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([1, 1]);
    (await waiting)();
    (await late)();
    expect(bulkhead['held'].total).toBe(0);
  });

  it('should reject the callers that have waited too long, and serve a later one', async () => {
    const bulkhead = bulkheadOf({ maxConcurrent: 1, maxWaitMs: 40 });
    const release = await bulkhead.acquire();
    const others = [bulkhead.acquire(), bulkhead.acquire()].map(outcomeOf);
    expect(await Promise.all(others)).toEqual([REJECTION, REJECTION]);
    expect(bulkhead.queueLength).toBe(0);
    release();
    (await bulkhead.acquire())();
    expect(bulkhead['held'].total).toBe(0);
  });

  it('should serve a quiet client prefix in turn with one that fills the queue', async () => {
    const bulkhead = bulkheadOf({ maxConcurrent: 1, maxQueued: 50 });
    const first = await bulkhead.acquire('busy');
    const served: string[] = [];
    const ask = async (clientPrefix: string): Promise<void> => {
      const release = await bulkhead.acquire(clientPrefix);
      served.push(clientPrefix);
      release();
    };
    const busyCalls = Array.from({ length: 50 }, () => ask('busy'));
    const quietCall = ask('quiet');
    first();
    const outcomes = await Promise.allSettled([...busyCalls, quietCall]);
    expect(served.indexOf('quiet')).toBe(1);
    // The newest caller of the busy client prefix has lost its place.
    const rejected = outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []));
    expect(rejected).toEqual([49]);
    expect([bulkhead.rejectedCount, bulkhead.queueLength, bulkhead['held'].total]).toEqual([
      1, 0, 0,
    ]);
  });

  it('should give one client prefix no more slots than it may hold, and still serve others', async () => {
    const bulkhead = bulkheadOf({ maxConcurrent: Infinity, maxPerClientPrefix: 2 });
    const [first] = await Promise.all([bulkhead.acquire('busy'), bulkhead.acquire('busy')]);
    const third = bulkhead.acquire('busy');
    await bulkhead.acquire('other');
    expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([3, 1]);
    first();
    await third;
    expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([3, 0]);
  });

  it('should give one client prefix fewer slots while another one asks too', async () => {
    const limits = { maxConcurrent: Infinity, maxPerClientPrefix: 2, maxWhileShared: 1 };
    const bulkhead = bulkheadOf({ ...limits, keepFreeMs: 60_000 });
    const [first, second] = await Promise.all([bulkhead.acquire('busy'), bulkhead.acquire('busy')]);
    (await bulkhead.acquire('quiet'))();
    const third = bulkhead.acquire('busy');
    first();
    expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([1, 1]);
    await bulkhead.acquire('quiet');
    expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([2, 1]);
    second();
    await third;
    expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([2, 0]);
  });

  describe('that keeps its last slot free for a while', () => {
    const KEEP_FREE_MS = 60_000;

    afterEach(() => {
      jest.useRealTimers();
    });

    it('should give all slots to a client prefix that is alone', async () => {
      const bulkhead = bulkheadOf({ keepFreeMs: KEEP_FREE_MS });
      await Promise.all([bulkhead.acquire('busy'), bulkhead.acquire('busy')]);
      expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([2, 0]);
    });

    it('should serve another client prefix at once, and later callers in turn', async () => {
      const bulkhead = bulkheadOf({ keepFreeMs: KEEP_FREE_MS });
      (await bulkhead.acquire('quiet'))();
      const first = await bulkhead.acquire('busy');
      const second = bulkhead.acquire('busy');
      const third = bulkhead.acquire('busy');
      expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([1, 2]);
      const other = await bulkhead.acquire('quiet');
      // Both slots are held now, so the next free slot goes to a client prefix that holds none.
      const again = bulkhead.acquire('quiet');
      other();
      (await again)();
      expect([bulkhead['held'].total, bulkhead.queueLength]).toEqual([1, 2]);
      first();
      (await second)();
      (await third)();
      expect([bulkhead['held'].total, bulkhead['held']['counts'].size]).toEqual([0, 0]);
    });

    it('should give that slot to the caller that waits longest, keepFreeMs after the last call of others', async () => {
      jest.useFakeTimers();
      const bulkhead = bulkheadOf({ keepFreeMs: 1_000 });
      (await bulkhead.acquire('quiet'))();
      await bulkhead.acquire('busy');
      const order: number[] = [];
      const second = bulkhead.acquire('busy').then(() => order.push(2));
      jest.advanceTimersByTime(1_000);
      void bulkhead.acquire('busy').then(() => order.push(3));
      await second;
      expect([order, bulkhead['held'].total, bulkhead.queueLength]).toEqual([[2], 2, 1]);
    });
  });
});
