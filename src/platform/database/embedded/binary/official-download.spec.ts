import { describe, expect, it } from '@jest/globals';
import { progressLine } from './official-download.js';

describe('progressLine', () => {
  it.each([
    [0, 1024 * 1024, `[${'.'.repeat(30)}] 0 % of 1.0 MB`],
    [512 * 1024, 1024 * 1024, `[${'#'.repeat(15)}${'.'.repeat(15)}] 50 % of 1.0 MB`],
    [2 * 1024 * 1024, 1024 * 1024, `[${'#'.repeat(30)}] 100 % of 1.0 MB`],
    [5, 0, `[${'.'.repeat(30)}] 0 % of 0.0 MB`],
  ])('after %d of %d bytes should be %s', (current, total, line) => {
    expect(progressLine(current, total)).toBe(line);
  });
});
