import { describe, expect, it } from '@jest/globals';
import { readingMinutes } from './reading-minutes.js';

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

describe('readingMinutes', () => {
  it.each([
    [1, 'no text', ''],
    [1, 'no word', '<p></p>'],
    [1, 'a few words', `<p>${words(10)}</p>`],
    [1, 'nearly a minute and a half', words(344)],
    [2, 'a minute and a half', words(345)],
    [10, 'ten minutes', words(2_300)],
    [2, 'words in two blocks', `<p>${words(230)}</p><p>${words(230)}</p>`],
    [1, 'words in an attribute', `<img alt="${words(2_300)}">`],
  ])('should be %i for %s', (minutes, _what, html) => {
    expect(readingMinutes(html)).toBe(minutes);
  });
});
