import { describe, expect, it } from '@jest/globals';
import { parseRate } from './rate.js';

describe('parseRate', () => {
  it.each([
    ['100/1h', { count: 100, seconds: 3_600 }],
    ['1/1d', { count: 1, seconds: 86_400 }],
    ['5/1500ms', { count: 5, seconds: 1.5 }],
  ])('should read %s', (text, rate) => {
    expect(parseRate(text)).toEqual(rate);
  });

  it.each([
    '',
    '100',
    '0/1h',
    '100/h',
    '100/0h',
    '1.5/1h',
    '-1/1h',
    '100/1h/1h',
    '100 / 1h',
    '1/1w',
  ])('should refuse %j', (text) => {
    expect(() => parseRate(text)).toThrow(RangeError);
  });
});
