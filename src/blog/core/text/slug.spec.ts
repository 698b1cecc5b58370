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
      ...[
        '\u0301',
        '\u0307',
        '\u0323',
        '\u0345',
        '\u200d',
        '\ufe0f',
        '\u3164',
        '²',
        '😀',
        '\u00ad',
        '-',
        '_',
        '.',
        '~',
        ' ',
        '!',
      ],
    ),
    maxLength: 12,
  }),
);

/** How versions without `-` between all words normalise, which may run beside this one. */
const slugOfEarlierVersions = (slug: string): string =>
  slug
    .toLowerCase()
    .normalize('NFC')
    .replace(/\p{White_Space}+/gu, '-')
    .replace(/[^\p{L}\p{M}\p{Nd}\-_.~]+/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');

describe('normalizeSlug', () => {
  it.each([
    ['Hello World', 'hello-world'],
    ['  Trimmed\t\n', 'trimmed'],
    ['a\u00a0b\u3000c', 'a-b-c'],
    ['C++ & C#, compared!', 'c-c-compared'],
    ['-- a --- b --', 'a-b'],
    ['v1.0_rc~2', 'v1.0_rc~2'],
    ['a/b\\c%2F?d#e', 'a-b-c-2f-d-e'],
    ['AND/OR', 'and-or'],
    ['2019–2020', '2019-2020'],
    ['One—two', 'one-two'],
    ['R&D, Q&A: yes|no', 'r-d-q-a-yes-no'],
    ['1,000 miles', '1-000-miles'],
    ["Don't, don’t “quote” ‘us’", 'dont-dont-quote-us'],
    ['l’été, col·lecció, צה״ל', 'lété-collecció-צהל'],
    ['列夫·托尔斯泰', '列夫-托尔斯泰'],
    ['Rock·Pop', 'rock-pop'],
    ['H₂O at 10²°', 'ho-at-10'],
    ['東京・大阪、そして', '東京-大阪-そして'],
    ['İstanbul', 'istanbul'],
    ['I\u0307I\u0323\u0307', 'iị'],
    ['ẞtraße', 'ßtraße'],
    ['🗃️ File Cabinet', 'file-cabinet'],
    ['❤️', ''],
    ['a👍🏽b', 'a-b'],
    ['1️⃣ First', '1-first'],
    ['🏴\u{e0067}\u{e0062}\u{e007f} Flag', 'flag'],
    ['\u3164\u115f\uffa0\u2800', ''],
    ['a\u3164\u0301b', 'a-b'],
    ['!\u0301a *\u0302 b', 'a-b'],
    ['\u0301\u0302 a', 'a'],
    ['-\u0301-', ''],
    ['soft\u00adhyphen zero\u200bwidth \u202eover', 'softhyphen-zerowidth-over'],
    ['می\u200cخواهم', 'میخواهم'],
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
        expect(slug).not.toMatch(/\p{Default_Ignorable_Code_Point}|(?<![\p{L}\p{Nd}\p{M}])\p{M}/u);
        expect(slugOfEarlierVersions(slug)).toBe(slug);
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
