import { describe, expect, it } from '@jest/globals';
import { nextAttempt } from './retry-times.js';

const firstAt = new Date('2026-01-01T00:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe('nextAttempt', () => {
  it('should come later and later, and be given up after three days', () => {
    const pauses: number[] = [];
    let now = firstAt;
    for (let attempts = 1; attempts < 100; attempts += 1) {
      const next = nextAttempt({ firstAt, attempts }, now);
      if (next === null) break;
      pauses.push(next.getTime() - now.getTime());
      now = next;
    }
    expect(pauses.slice(0, 4)).toEqual([5 * SECOND, 60 * SECOND, 600 * SECOND, HOUR]);
    expect(new Set(pauses.slice(4))).toEqual(new Set([6 * HOUR]));
    expect(now.getTime() - firstAt.getTime()).toBeLessThanOrEqual(72 * HOUR);
    expect(now.getTime() - firstAt.getTime()).toBeGreaterThan(66 * HOUR);
  });
});
