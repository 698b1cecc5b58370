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
  ])('should lock out at %i failures beyond the free attempts for %i s', (excess, seconds) => {
    expect(loginDelay(excess, 900)).toBe(seconds);
  });
});
