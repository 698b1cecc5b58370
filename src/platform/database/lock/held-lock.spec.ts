import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HeldLock, LOCK_MS } from './held-lock.js';
import { LockLostError } from './lock-lost.error.js';

describe('HeldLock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  function hold(renew: () => Promise<boolean>): HeldLock {
    return new HeldLock('migrations', performance.now(), renew);
  }

  it('should be renewed until its end', async () => {
    const renew = jest.fn(() => Promise.resolve(true));
    const lock = hold(renew);
    await jest.advanceTimersByTimeAsync(10 * LOCK_MS);
    expect(() => lock.check()).not.toThrow();
    lock.end();
    const { length } = renew.mock.calls;
    expect(length).toBe(30);
    await jest.advanceTimersByTimeAsync(LOCK_MS);
    expect(renew).toHaveBeenCalledTimes(length);
  });

  it('should be lost at the first renewal after another process has claimed it', async () => {
    const lock = hold(() => Promise.resolve(false));
    await jest.advanceTimersByTimeAsync(LOCK_MS / 3);
    expect(lock.signal.aborted).toBe(true);
    expect(() => lock.check()).toThrow(LockLostError);
  });

  it('should be lost LOCK_MS after the claim, not before, when all renewals fail', async () => {
    const lock = hold(() => Promise.reject(new Error('no primary')));
    await jest.advanceTimersByTimeAsync(LOCK_MS - 1);
    expect(lock.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(lock.signal.aborted).toBe(true);
  });

  it('should last LOCK_MS from the moment a renewal was sent, not from its answer', async () => {
    const answers: ((isHeld: boolean) => void)[] = [];
    const lock = hold(() => new Promise((resolve) => answers.push(resolve)));
    await jest.advanceTimersByTimeAsync(LOCK_MS - 1);
    // Answers the renewal that was sent after LOCK_MS / 3.
    answers[0]?.(true);
    await jest.advanceTimersByTimeAsync(LOCK_MS / 3);
    expect(lock.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(lock.signal.aborted).toBe(true);
  });

  it('should be lost for a process that was suspended, before its timers run', () => {
    const lock = hold(() => Promise.resolve(true));
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + LOCK_MS);
    expect(() => lock.check()).toThrow(LockLostError);
    expect(lock.signal.aborted).toBe(true);
    jest.restoreAllMocks();
  });
});
