import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { comparableText, containsText } from './contains-text.js';

const LENGTH = 100_000;

/** Few different characters, so that many beginnings match. */
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength });

describe('containsText', () => {
  it('should return what `includes` returns', () => {
    fc.assert(
      fc.property(text(60), text(12), (within, wanted) => {
        expect(containsText(within, wanted)).toBe(within.includes(wanted));
      }),
      { numRuns: 2_000 },
    );
  });

  it('should find every part of a text', () => {
    fc.assert(
      fc.property(text(60), fc.nat(60), fc.nat(60), (within, start, end) => {
        expect(containsText(within, within.slice(start, end))).toBe(true);
      }),
    );
  });

  // `includes` takes more than a second for these searches.
  it('should take less than 10 ms on average for texts that nearly match everywhere', () => {
    const within = 'a'.repeat(LENGTH);
    const wanted = `ab${'a'.repeat(298)}`;
    const search = (): void => {
      for (let n = 0; n < 100; n += 1) expect(containsText(within, wanted)).toBe(false);
    };
    expect(cpuTime(search)).toBeLessThan(1_000);
  });
});

describe('comparableText', () => {
  it.each([
    ['another normal form', 'Café Zoë', 'Cafe\u0301 Zoe\u0308'],
    ['Hangul in letters', '서울', '서울'.normalize('NFD')],
    ['marks in another order', 'a\u0323\u0301', 'a\u0301\u0323'],
    ['ligatures', 'office file', 'oﬃce ﬁle'],
    ['full width', 'Node 24', 'Ｎｏｄｅ　２４'],
    ['a soft hyphen', 'patterns', 'pat\u00adterns'],
    ['zero width', 'patterns', 'pat\u200bte\u2060r\ufeffns'],
    ['a joiner before a mark', 'é', 'e\u200d\u0301'],
    ['marks of direction', 'patterns', '\u200epatterns\u2069'],
    ['a variation selector', '❤', '❤\ufe0f'],
    ['blanks', 'the Jacquard loom', ' the \u00a0Jacquard\u2003\u200b\r\n\tloom\u2028'],
    ['what looks blank', 'the loom', 'the\u3164\u2800loom'],
    ['a joiner in Persian', 'میخواهم', 'می\u200cخواهم'],
  ])('should make texts equal that differ in %s', (_difference, one, other) => {
    expect(comparableText(other)).toBe(comparableText(one));
  });

  it.each([
    ['case', 'Loom', 'loom'],
    ['accents', 'résumé', 'resume'],
    ['a blank', 'the loom', 'theloom'],
    ['a sign', 'the loom.', 'the loom'],
  ])('should keep texts apart that differ in %s', (_difference, one, other) => {
    expect(comparableText(other)).not.toBe(comparableText(one));
  });

  it('should make no text much longer', () => {
    for (const sign of ['\ufdfa', '\ufdfb', '㍿', '㈝', 'ﬃ']) {
      expect(comparableText(sign).length).toBeLessThan(7);
    }
  });
});
