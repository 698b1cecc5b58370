import { describe, expect, it } from '@jest/globals';
import { loginDelay } from './login-delay.js';

describe('loginDelay', () => {
  it.each([
    [-5, 0],
    [-1, 0],
    [0, 1],
    [1, 2],
    [9, 512],
    [10, 900],
    [2_000, 900],
  ])('should lock out, with an excess of %i failures, for %i s', (excess, seconds) => {
    expect(loginDelay(excess, 900)).toBe(seconds);
  });
});
