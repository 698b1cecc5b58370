import { describe, expect, it } from '@jest/globals';
import { restartDelay } from './restart-delay.js';

describe('restartDelay', () => {
  it('should start at 100 ms and double', () => {
    expect([0, 1, 2, 3].map(restartDelay)).toEqual([100, 200, 400, 800]);
  });

  it('should be at most 30 s', () => {
    expect([8, 9, 10, 2_000].map(restartDelay)).toEqual([25_600, 30_000, 30_000, 30_000]);
  });
});
