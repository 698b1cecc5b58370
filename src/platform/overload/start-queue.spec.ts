import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StartQueue } from './start-queue.js';

const PER_TURN = 16;

describe('StartQueue', () => {
  let queue: StartQueue;
  let addedCount: number;
  let started: number[];
  let now: number;
  let nextTurn: (() => void) | null;

  beforeEach(() => {
    queue = new StartQueue();
    [addedCount, started, now, nextTurn] = [0, [], 1_000, null];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(globalThis, 'setImmediate').mockImplementation((callback) => {
      expect(nextTurn).toBeNull();
      nextTurn = callback;
      return {} as NodeJS.Immediate;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  function add(count: number, clientPrefix = 'a'): void {
    for (let at = 0; at < count; at += 1) {
      const number = addedCount;
      queue.add(clientPrefix, () => started.push(number));
      addedCount += 1;
    }
  }
  /** Ends the turn of the event loop, which has taken this many milliseconds. */
  function endTurn(milliseconds: number): void {
    const callback = nextTurn;
    nextTurn = null;
    now += milliseconds;
    callback?.();
  }
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

  it('should start 16 requests in a turn, and the others in the next turns, in the order of arrival', () => {
    add(PER_TURN + 2);
    expect(started).toEqual(numbers(PER_TURN));
    endTurn(5);
    expect(started).toEqual(numbers(PER_TURN + 2));
    // Two requests have started in this turn, so that one of these 15 has to wait.
    add(PER_TURN - 1);
    expect(started).toEqual(numbers(2 * PER_TURN));
    endTurn(5);
    expect(started).toEqual(numbers(2 * PER_TURN + 1));
  });

  it('should start all at once while at most 16 arrive in a turn, and then schedule no callback', () => {
    for (let turn = 0; turn < 3; turn += 1) {
      add(PER_TURN);
      endTurn(1);
    }
    expect(started).toEqual(numbers(3 * PER_TURN));
    expect(nextTurn).toBeNull();
    expect([queue.waitMs('a'), queue.isStanding]).toEqual([0, false]);
  });

  it('should estimate the wait from the time that earlier requests have taken', () => {
    add(4 * PER_TURN);
    // Nothing has been measured yet.
    expect(queue.waitMs('a')).toBe(0);
    endTurn(32);
    expect(queue.waitMs('a')).toBe(2 * PER_TURN * 2);
    // One slow turn counts for a tenth.
    endTurn(192);
    expect(queue.waitMs('a')).toBeCloseTo(PER_TURN * 3);
    endTurn(32);
    expect(queue.waitMs('a')).toBe(0);
  });

  it('should serve client prefixes in turn, so that one does not wait for the others', () => {
    add(4 * PER_TURN, 'busy');
    endTurn(32);
    expect([queue.waitMs('busy'), queue.waitMs('quiet')]).toEqual([4 * PER_TURN, 2]);
    add(1, 'quiet');
    endTurn(32);
    expect(started.indexOf(4 * PER_TURN)).toBeLessThan(2 * PER_TURN + 2);
  });

  it('should start each request in its own asynchronous context', () => {
    const context = new AsyncLocalStorage<number>();
    const contexts: (number | undefined)[] = [];
    for (const at of numbers(PER_TURN + 2)) {
      context.run(at, () => queue.add('a', () => contexts.push(context.getStore())));
    }
    endTurn(5);
    expect(contexts).toEqual(numbers(PER_TURN + 2));
  });

  it('should distinguish a standing queue from a burst', () => {
    add(3 * PER_TURN);
    endTurn(150);
    expect(queue.isStanding).toBe(false);
    now += 51;
    expect(queue.isStanding).toBe(true);
    endTurn(10);
    // No request waits, but this turn is full.
    expect(queue.waitMs('a')).toBe(0);
    add(1);
    expect(queue.isStanding).toBe(true);
    endTurn(10);
    endTurn(10);
    expect(queue.isStanding).toBe(false);
    add(2 * PER_TURN);
    expect(queue.isStanding).toBe(false);
  });
});
