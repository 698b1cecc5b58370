import { describe, expect, it } from '@jest/globals';
import { hasLength } from './text-length.js';

describe('hasLength', () => {
  it.each([
    ['', 0, 2, true],
    ['', 1, 2, false],
    ['a', 1, 1, true],
    ['ab', 1, 1, false],
    ['\u{1f600}', 1, 1, true],
    ['\u{1f600}', 2, 2, false],
    ['\u{1f600}\u{1f600}', 2, 2, true],
    ['\u{1f600}a', 1, 1, false],
    ['e\u0301', 2, 2, true],
    ['\ue000\uffff', 2, 2, true],
    ['abc', 1, 3, true],
    ['abcd', 1, 3, false],
  ])('should count code points: %j is %i to %i characters: %s', (text, min, max, expected) => {
    expect(hasLength(text, { min, max })).toBe(expected);
    const count = [...text].length;
    expect(count >= min && count <= max).toBe(expected);
  });
});
