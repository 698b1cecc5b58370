import { describe, expect, it } from '@jest/globals';
import { BoundedQueue, type Release } from './bounded-queue.js';

const OPTIONS = { maxConcurrent: 2, maxQueued: 3, maxWaitMs: 10_000 };

/** @throws Error when the caller was rejected */
const granted = async (acquired: Promise<Release | null>): Promise<Release> => {
  const release = await acquired;
  if (release === null) throw new Error('was rejected');
  return release;
};

describe('BoundedQueue', () => {
  it('should grant the free slots, queue up to the limit and reject the rest', async () => {
    const queue = new BoundedQueue(OPTIONS);
    const active = await Promise.all([granted(queue.acquire()), granted(queue.acquire())]);
    const waiting = [1, 2, 3].map(() => granted(queue.acquire()));
    expect(await Promise.all([queue.acquire(), queue.acquire()])).toEqual([null, null]);
    for (const release of active) release();
    for (const acquired of waiting) (await acquired)();
    expect([queue['active'], queue['queued'].size]).toEqual([0, 0]);
  });

  it('should grant slots in the order of arrival', async () => {
    const queue = new BoundedQueue({ ...OPTIONS, maxConcurrent: 1 });
    const served: number[] = [];
    const first = await granted(queue.acquire());
    const others = [1, 2, 3].map(async (number) => {
      const release = await granted(queue.acquire());
      served.push(number);
      release();
    });
    first();
    await Promise.all(others);
    expect(served).toEqual([1, 2, 3]);
  });

  it('should pass a freed slot to the queue before a caller that arrives later', async () => {
    const queue = new BoundedQueue({ ...OPTIONS, maxConcurrent: 1 });
    const first = await granted(queue.acquire());
    const waiting = queue.acquire();
    first();
    const late = queue.acquire();
    expect([queue['active'], queue['queued'].size]).toEqual([1, 1]);
    (await granted(waiting))();
    (await granted(late))();
    expect(queue['active']).toBe(0);
  });

  it('should reject only the callers that have waited too long', async () => {
    const queue = new BoundedQueue({ ...OPTIONS, maxConcurrent: 1, maxWaitMs: 40 });
    const release = await granted(queue.acquire());
    expect(await Promise.all([queue.acquire(), queue.acquire()])).toEqual([null, null]);
    expect(queue['queued'].size).toBe(0);
    release();
    (await granted(queue.acquire()))();
    expect(queue['active']).toBe(0);
  });
});
