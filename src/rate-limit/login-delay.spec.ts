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
  ])('should hold the next guess back at %i beyond the free ones for %i s', (beyond, seconds) => {
    expect(loginDelay(beyond, 900)).toBe(seconds);
  });
});
