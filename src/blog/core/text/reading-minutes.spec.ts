import { describe, expect, it } from '@jest/globals';
import { readingMinutes } from './reading-minutes.js';

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

describe('readingMinutes', () => {
  it.each([
    [1, '', 'no text'],
    [1, '<p></p>', 'no word'],
    [1, `<p>${words(10)}</p>`, 'a few words'],
    [1, words(344), 'a minute and nearly a half'],
    [2, words(345), 'a minute and a half'],
    [10, words(2_300), 'ten minutes'],
    [2, `<p>${words(230)}</p><p>${words(230)}</p>`, 'words in two blocks'],
    [1, `<img alt="${words(2_300)}">`, 'no words of attributes'],
  ])('should be %i for %#: %s', (minutes, html) => {
    expect(readingMinutes(html)).toBe(minutes);
  });
});
