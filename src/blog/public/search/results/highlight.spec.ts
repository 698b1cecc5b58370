import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  HTML_READ_MAX,
  highlightPassage,
  highlightText,
  type Highlight,
  type WordMatcher,
} from './highlight.js';
import { matcherOf } from './match-word.js';

/** Makes a WordMatcher for these words, which are their own stems. */
const matching = (...words: readonly string[]): WordMatcher =>
  matcherOf(
    words.map((word) => [word]),
    (word) => word,
  );

const found = ({ text, ranges }: Highlight): string[] =>
  ranges.map(({ start, end }) => text.slice(start, end));

describe('highlightText', () => {
  it('should mark every found word of the whole text', () => {
    const highlight = highlightText('Größe & grosse <b>', matching('grosse', 'b'));
    expect(highlight.text).toBe('Größe & grosse <b>');
    expect(found(highlight)).toEqual(['Größe', 'grosse', 'b']);
  });

  it.each([
    ['Node.js and node', ['nodejs'], ['Node.js']],
    ['Node.js and node', ['node'], ['Node', 'node']],
    ['E-Mail-Adresse', ['email'], ['E-Mail']],
    ['We don’t', ['dont'], ['don’t']],
    ['We don’t', ['don', 'dont'], ['don’t']],
    ['C++, not C.', ['c'], ['C++', 'C']],
    ['From 1,000,000 to 24.1.0', ['1000000', '24'], ['1,000,000', '24.1.0']],
    ['서울에서 👍🏽', ['서울', '👍'], ['서울에서', '👍🏽']],
  ])('should mark in %j all of what %j finds, once', (text, words, marked) => {
    expect(found(highlightText(text, matching(...words)))).toEqual(marked);
  });
});

describe('highlightPassage', () => {
  it('should return the whole of a short text', () => {
    const highlight = highlightPassage('<p>The <b>sea</b> &lt;b&gt;</p>', matching('sea', 'b'), 2);
    expect([highlight.text, found(highlight)]).toEqual(['The sea <b>', ['sea', 'b']]);
  });

  it('should return the passage with most of the words', () => {
    const filler = 'word '.repeat(100);
    const html = `<p>sea ${filler} the sea and its harbour ${filler} harbour</p>`;
    const highlight = highlightPassage(html, matching('sea', 'harbour'), 2);
    expect(highlight.text).toMatch(/^… .*the sea and its harbour.* …$/);
    expect(found(highlight)).toEqual(['sea', 'harbour']);
    expect(highlight.text.length).toBeLessThan(260);
  });

  it('should find a word far from the beginning, and mark where the text is cut', () => {
    for (const words of [500, 2_000, 4_000]) {
      const html = `<p>${'word '.repeat(words)} sea</p><p>${'word '.repeat(5_000)}</p>`;
      const highlight = highlightPassage(html, matching('sea'), 1);
      expect(highlight.text).toMatch(/^… .* …$/);
      expect(found(highlight)).toEqual(['sea']);
    }
  });

  it('should mark what it has read before it went on to a word far away', () => {
    const html = `<p>The sea. ${'A word. '.repeat(1_000)} The harbour. ${'A word. '.repeat(5_000)}</p>`;
    expect(found(highlightPassage(html, matching('sea', 'harbour'), 2))).toEqual(['sea']);
    expect(found(highlightPassage(html, matching('harbour'), 1))).toEqual(['harbour']);
  });

  it('should mark no word that only the beginning of an element showed', () => {
    const before = `<p>${'A word. '.repeat(480)}</p>`;
    const video = `<video src="a"><p>The sea. </p>${'<p>It is long. </p>'.repeat(100)}</video>`;
    const html = `${before}${video}<p>The harbour, the sea.</p>${'<p>A word. </p>'.repeat(2_000)}`;
    const highlight = highlightPassage(html, matching('sea', 'harbour'), 2);
    expect(found(highlight)).toEqual(['harbour', 'sea']);
  });

  it('should return the beginning if nothing is found', () => {
    const highlight = highlightPassage(`<p>${'word '.repeat(100)}</p>`, matching('sea'), 1);
    expect(highlight.text).toMatch(/^word .* word …$/);
    expect(highlight.ranges).toEqual([]);
  });

  it.each([
    ['elements', '<p>word</p>'],
    ['words without tags', 'word '],
    ['one word', 'x'],
    ['character references', '&amp;'],
  ])('should split no tag or character reference of a long text: %s', (_what, unit) => {
    const html = unit.repeat(Math.ceil((2 * HTML_READ_MAX) / unit.length));
    for (const given of [html, html.slice(0, HTML_READ_MAX)]) {
      const { text } = highlightPassage(given, matching('sea'), 1);
      expect(text).toMatch(/…$/);
      expect(text).not.toMatch(/[<>]|&\w|p>/);
    }
  });

  it('should mark words within the passage only, and split no character', () => {
    const unit = fc.constantFrom('sea', 'harbour', ' ', '😀', '漢字', 'word ', 'é');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 300 }), (units) => {
        const { text, ranges } = highlightPassage(
          `<p>${units.join('')}</p>`,
          matching('sea', 'harbour'),
          2,
        );
        expect(text.isWellFormed()).toBe(true);
        for (const { start, end } of ranges)
          expect(['sea', 'harbour']).toContain(text.slice(start, end));
      }),
    );
  });
});
