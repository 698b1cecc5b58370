import { describe, expect, it } from '@jest/globals';
import { DURATION_PATTERN, parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    ['1ms', 1],
    ['999999999ms', 999_999_999],
    ['90s', 90_000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['14d', 1_209_600_000],
    ['90d', 7_776_000_000],
  ])('should read %s as %i milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
    expect(text).toMatch(DURATION_PATTERN);
  });

  it.each(['', '15', 'm', '0s', '007s', '-1s', '1.5h', '1 h', '1w', '1H', '1h30m', '1234567890s'])(
    'should refuse %j',
    (text) => {
      expect(() => parseDuration(text)).toThrow(RangeError);
      expect(text).not.toMatch(DURATION_PATTERN);
    },
  );
});
