import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isUsableSlug, normalizeSlug, slugCandidates, slugFromTitle } from './slug.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  // Lone surrogates and everything else that a JavaScript string can hold.
  fc.array(fc.integer({ max: 0xffff }), { maxLength: 40 }).map((u) => String.fromCharCode(...u)),
  // Characters for which lower-casing, composition and dropping affect each other.
  fc.string({
    unit: fc.constantFrom(
      ...['A', 'a', 'İ', 'ı', 'Σ', 'ς', 'ß', 'ẞ', 'Å', 'K', 'ǅ', 'ŉ', 'ΐ', '각', 'ᄀ', 'ᅡ', 'ᆨ'],
      ...['\u0301', '\u0307', '\u0323', '\u0345', '\u200d', '\u00ad', '-', '_', '.', '~', ' ', '!'],
    ),
    maxLength: 12,
  }),
);

describe('normalizeSlug', () => {
  it.each([
    ['Hello World', 'hello-world'],
    ['  Trimmed\t\n', 'trimmed'],
    ['a\u00a0b\u3000c', 'a-b-c'],
    ['C++ & C#, compared!', 'c-c-compared'],
    ['-- a --- b --', 'a-b'],
    ['v1.0_rc~2', 'v1.0_rc~2'],
    ['a/b\\c%2F?d#e', 'abc2fde'],
    ['Cafe\u0301', 'café'],
    ['ΟΔΟΣ', 'οδος'],
    ['日本語 タイトル', '日本語-タイトル'],
    ['हिन्दी', 'हिन्दी'],
    ['٣ ½ ²', '٣'],
    ['\ud800x\udc00', 'x'],
    ['🎉', ''],
    ['', ''],
  ])('should turn %j into %j', (raw, slug) => {
    expect(normalizeSlug(raw)).toBe(slug);
  });

  it('should compose a letter and its accent when a character between them is dropped', () => {
    expect(normalizeSlug('e\u200d\u0301')).toBe('é');
  });

  it('should keep allowed characters only, and change nothing the second time, for every text', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const slug = normalizeSlug(raw);
        expect(normalizeSlug(slug)).toBe(slug);
        expect(slug).toMatch(/^[\p{L}\p{M}\p{Nd}\-_.~]*$/u);
        expect(slug).not.toMatch(/^-|-$|--/);
        expect(slug.normalize('NFC').toLowerCase()).toBe(slug);
      }),
      { numRuns: 5_000 },
    );
  });

  it('should change nothing the second time, for every code point before an accent', () => {
    const unstable: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const slug = normalizeSlug(`a${String.fromCodePoint(point)}\u0301`);
      if (normalizeSlug(slug) !== slug) {
        unstable.push(point.toString(16));
      }
    }
    expect(unstable).toEqual([]);
  });
});

describe('isUsableSlug', () => {
  it.each(['', '.', '..', '....'])('should refuse %j', (slug) => {
    expect(isUsableSlug(slug)).toBe(false);
  });

  it.each(['a', '.a', '..-', '~', '_'])('should accept %j', (slug) => {
    expect(isUsableSlug(slug)).toBe(true);
  });

  it('should count code points, not code units', () => {
    expect(isUsableSlug('𝒳'.repeat(200))).toBe(true);
    expect(isUsableSlug('𝒳'.repeat(201))).toBe(false);
  });
});

describe('slugFromTitle', () => {
  it.each(['', '!!!', '...', '🎉 🎉'])('should fall back to `blog` for %j', (title) => {
    expect(slugFromTitle(title)).toBe('blog');
  });

  it('should cut to 200 code points and leave no dash at the end', () => {
    expect(slugFromTitle(`${'a'.repeat(199)} bc`)).toBe('a'.repeat(199));
    expect(slugFromTitle('𐐨'.repeat(300))).toBe('𐐨'.repeat(200));
  });

  it('should fall back when only dots are left after the cut', () => {
    expect(slugFromTitle(`${'.'.repeat(200)}a`)).toBe('blog');
  });

  it('should return a normalised, usable slug for every title', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', minLength: 250 })), (title) => {
        const slug = slugFromTitle(title);
        expect(isUsableSlug(slug)).toBe(true);
        expect(normalizeSlug(slug)).toBe(slug);
      }),
    );
  });
});

describe('slugCandidates', () => {
  it('should offer the base, then -2 to -9, then random endings', () => {
    let drawn = 0;
    const random = () => `r${(drawn += 1)}`;
    expect([...slugCandidates('post', random)]).toEqual([
      'post',
      ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `post-${number}`),
      'post-r1',
      'post-r2',
      'post-r3',
    ]);
  });

  it('should draw a random ending only when asked for one', () => {
    const candidates = slugCandidates('post', () => {
      throw new Error('drawn too early');
    });
    for (let taken = 0; taken < 9; taken += 1) {
      expect(candidates.next().done).toBe(false);
    }
    expect(() => candidates.next()).toThrow('drawn too early');
  });

  it('should offer usable, normalised slugs for a base of full length', () => {
    const base = slugFromTitle(`${'𐐨'.repeat(192)}-${'b'.repeat(7)}`);
    for (const slug of slugCandidates(base, () => 'k3x9q2')) {
      expect(isUsableSlug(slug)).toBe(true);
      expect(normalizeSlug(slug)).toBe(slug);
    }
  });
});
