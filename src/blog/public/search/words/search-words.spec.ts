import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuTime } from '../../../../../test/support/time/cpu-time.js';
import { WORD_LENGTH_MAX } from './folded-word.js';
import { nestedWords, wordsIn } from './search-words.js';

const words = (text: string): string[] => Array.from(wordsIn(text), ({ word }) => word);

describe('wordsIn', () => {
  it.each([
    ['The Event Loop', ['the', 'event', 'loop']],
    ['ÉCOLE E\u0301cole ecole', ['ecole', 'ecole', 'ecole']],
    ['ＮＯＤＥ ﬁle', ['node', 'file']],
    ['Straße Øre Łódź œuvre', ['strasse', 'ore', 'lodz', 'oeuvre']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['ёлка елка йод', ['елка', 'елка', 'йод']],
    ["don’t it's l’été l’« ami » C++'s", ['don', 'it', 'ete', 'ami', 'c++']],
    ["'C' ‘r’, rock 'n' roll", ['c', 'r', 'rock', 'n', 'roll']],
    ['Node.js a/b snake_case', ['node', 'js', 'a', 'b', 'snake', 'case']],
    ['C++ C# C♯ Ｃ＋＋ A+. (.NET) ASP.NET', ['c++', 'c#', 'c#', 'c++', 'a+', '.net', 'asp', 'net']],
    [
      'a+b 1+1 C#1 18+ C++20 …and x.#y',
      ['a', 'b', '1', '1', 'c', '1', '18', 'c++', '20', 'and', 'x', 'y'],
    ],
    ['A* F*, a*b A** note* A+*', ['a*', 'f*', 'a', 'b', 'a', 'note', 'a+']],
    ['C++은 使用C#开发', ['c++', '은', '使用', 'c#', '开发']],
    ['v24.1.0 V8 24.1 v', ['24.1.0', 'v8', '24.1', 'v']],
    ['1.5GB 1.0.2k 3. 3.x', ['1.5gb', '1.0.2k', '3', '3', 'x']],
    ['har\u00adbour', ['harbour']],
    ['日本語のテキスト', ['日本語', 'の', 'テキスト']],
    ['ภาษาไทยง่ายมาก', ['ภาษา', 'ไทย', 'ง่าย', 'มาก']],
    ['한국어 글', ['한국어', '글']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['كِتَاب שָׁלוֹם', ['كتاب', 'שלום']],
    ['--- !! \ud800 ™ →', []],
    ['🎉🎉 ❤️ ❤ 1️⃣ 🇰🇷', ['🎉', '🎉', '❤', '❤', '1', '🇰🇷']],
    ['كـتاب donʼt', ['كتاب', 'don']],
    ['', []],
  ])('should find the words of %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('should return the positions of the words', () => {
    const text = '😀 Größe, don’t 日本語のテキスト v1.2';
    const found = Array.from(wordsIn(text), ({ start, end }) => text.slice(start, end));
    expect(found).toEqual(['😀', 'Größe', 'don', '日本語', 'の', 'テキスト', 'v1.2']);
  });

  it('should return bounded and well-formed words with positions, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        for (const { start, end, word } of wordsIn(text)) {
          expect(text.slice(start, end)).not.toBe('');
          expect(word.length).toBeLessThanOrEqual(2 * WORD_LENGTH_MAX);
          expect(word.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('should not depend on case and accents', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...'aZéÑöçÅßøµ'),
      minLength: 2,
      maxLength: 9,
    });
    fc.assert(
      fc.property(letters, (text) => {
        const [word = ''] = words(text);
        for (const other of [text.toLowerCase(), text.normalize('NFD'), word]) {
          expect(words(other)).toEqual([word]);
        }
      }),
    );
  });

  it('should keep only the first 40 characters of a word', () => {
    expect(words('x'.repeat(50))).toEqual(['x'.repeat(WORD_LENGTH_MAX)]);
    expect(words('𐐨'.repeat(50))).toEqual(['𐐨'.repeat(WORD_LENGTH_MAX)]);
  });

  it.each([
    'a',
    'ก',
    '漢',
    'ﷺ',
    "a'",
    '\u0301\u0323',
    'a b c ',
    '1.',
    'é',
    'a-',
    '1,000,',
    '👩\u200d',
    '에서',
    '+',
    '.a',
  ])('should take bounded time for a long run of %j', (unit) => {
    expect(cpuTime(() => words(unit.repeat(100_000).slice(0, 100_000)), 1)).toBeLessThan(2_000);
  });
});

describe('The other forms of a word', () => {
  it.each([
    ['Node.js', 'nodejs'],
    ['e-mail', 'email'],
    ['E\u2011Mail-Adresse', 'email mailadresse emailadresse'],
    ['don’t', 'dont'],
    ['donʼt', 'dont'],
    ['AT&T a & b', 'att'],
    ['rock-n-roll', 'rockn rocknroll nroll'],
    ['l’été', 'lete'],
    ['1,000', '1000'],
    ['1.000', '1000'],
    ['1 000', '1000'],
    ["5'000", '5000'],
    ['1’000’000', '1000000'],
    ['12,500.50', '12500.50'],
    ['1,0000', ''],
    ['2020,100', ''],
    ['24-7', ''],
    ['covid-19', 'covid19'],
    ['a – b a, b a b', ''],
    ['C++', 'c'],
    ['.NET', 'net'],
    ['서울에서', '서울'],
    ['사람들에게는', '사람들에게 사람들 사람'],
    ['학생으로 서울로', '학생 서울'],
    // The last consonant tells that these nouns have no particle.
    ['가을 국가 마을 서울', ''],
    ['에서', ''],
    ['Node.js에서', 'nodejs에서 nodejs js'],
    ['👍🏽 🇰🇷', '👍'],
    ['👩🏽‍💻', '👩💻 👩'],
    ['日本語の', ''],
  ])('should be found in %j: %j', (text, forms) => {
    const others = Array.from(wordsIn(text), (word) => word.others.map(({ form }) => form)).flat();
    expect([...new Set(others)].toSorted()).toEqual(forms.split(' ').filter(Boolean).toSorted());
  });

  it('should be bounded and well formed, in ranges that contain their words, for every text', () => {
    const unit = fc.constantFrom(
      ...['a', 'C', '1', '000', '서', '울', '에', '은', '👍', '🏽', ..."'-.,+# ’·"],
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        for (const { others, start, end } of wordsIn(text)) {
          expect(others.length).toBeLessThanOrEqual(24);
          for (const other of others) {
            expect(other.form).not.toBe('');
            expect(other.form.length).toBeLessThanOrEqual(2 * WORD_LENGTH_MAX);
            expect([other.start <= start, other.end >= end]).toEqual([true, true]);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('should leave out single words with other beginnings only, from every text', () => {
    const unit = fc.constantFrom(...['a', 'B', 'c', '1', '000', 'é', 'ſ', '서', ..."'-.,+# ’  "]);
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const kept = [...wordsIn(text, 0, new Set(['a'.charCodeAt(0)]))];
        const starts = new Set(kept.map(({ start }) => start));
        const isKept = ({ start }: { start: number }) => starts.has(start);
        const all = [...wordsIn(text)];
        expect(kept).toEqual(all.filter(isKept));
        for (const { word, others } of all.filter((each) => !isKept(each))) {
          expect([word, others]).toEqual([expect.stringMatching(/^[bc]/), []]);
        }
      }),
      { numRuns: 2_000 },
    );
    const found = Array.from(wordsIn('An axe, a Box and B', 0, new Set([97])), ({ word }) => word);
    expect(found).toEqual(['an', 'axe', 'a', 'and', 'b']);
  });
});

describe('nestedWords', () => {
  it.each([
    ['24.1.0', ['24.1.0', '24.1', '24', 'v24']],
    ['1.0.2k', ['1.0.2k', '1.0.2', '1.0', '1', 'v1']],
    ['v8', ['v8']],
    ['24', ['24']],
    ['word', ['word']],
  ])('should return the words under which %j is found', (word, expected) => {
    expect(nestedWords(word)).toEqual(expected);
  });
});
