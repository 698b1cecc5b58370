import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HeldLease, LEASE_MS } from './held-lease.js';
import { LeaseLostError } from './lease-lost.error.js';

describe('HeldLease', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  function hold(renew: () => Promise<boolean>): HeldLease {
    return new HeldLease('migrations', performance.now(), renew);
  }

  it('should be renewed as long as the work goes on', async () => {
    const renew = vi.fn(() => Promise.resolve(true));
    const lease = hold(renew);
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(() => lease.check()).not.toThrow();
    lease.end();
    const { length } = renew.mock.calls;
    expect(length).toBe(30);
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(renew).toHaveBeenCalledTimes(length);
  });

  it('should be lost at once when another process has claimed it', async () => {
    const lease = hold(() => Promise.resolve(false));
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(lease.signal.aborted).toBe(true);
    expect(() => lease.check()).toThrow(LeaseLostError);
  });

  it('should outlive renewals that fail, but not its length', async () => {
    const lease = hold(() => Promise.reject(new Error('no primary')));
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1);
    expect(lease.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.signal.aborted).toBe(true);
  });

  it('should last from when the renewal was sent, not from its answer', async () => {
    const answers: ((isHeld: boolean) => void)[] = [];
    const lease = hold(() => new Promise((resolve) => answers.push(resolve)));
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1);
    // The one that was sent after a third.
    answers[0]?.(true);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(lease.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.signal.aborted).toBe(true);
  });

  it('should be lost for a process that was suspended, before its timers run', () => {
    const lease = hold(() => Promise.resolve(true));
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + LEASE_MS);
    expect(() => lease.check()).toThrow(LeaseLostError);
    expect(lease.signal.aborted).toBe(true);
    vi.restoreAllMocks();
  });
});
