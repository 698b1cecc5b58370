import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { dedupeTags, tagKey, tagKeys, textWords } from './words.js';

describe('tagKey', () => {
  it.each([
    ['Node.js', 'node.js'],
    ['ＮＯＤＥ', 'node'],
    ['ﬁle', 'file'],
    ['ÉCOLE', 'école'],
    ['E\u0301cole', 'école'],
    ['ΟΔΟΣ', 'οδος'],
    ['a/b', 'a/b'],
    [' web  dev ', 'web dev'],
    ['web\tdev', 'web dev'],
    ['web\u3000\u2800 dev', 'web dev'],
    ['web\u3164dev', 'web dev'],
    ['web\u200b dev\u00ad', 'web dev'],
    ['\u200fweb\u2060 \ufeffdev', 'web dev'],
    ['❤️', '❤'],
    ['می\u200cخواهم', 'میخواهم'],
    ['İzmir', 'izmir'],
    [
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} Ales',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} ales',
    ],
    ['🏴\u{e0067}\u{e0062}\u{e0073}', '🏴'],
    ['\u3164\ufe0f', ''],
  ])('should key %j as %j', (tag, key) => {
    expect(tagKey(tag)).toBe(key);
  });

  it('should not change a key, for every code point with two marks', () => {
    const unstable: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const key = tagKey(`${String.fromCodePoint(point)}\u0345\u0301`);
      if (tagKey(key) !== key) {
        unstable.push(point.toString(16));
      }
    }
    expect(unstable).toEqual([]);
  });

  it('should not change a key, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tag) => {
        expect(tagKey(tagKey(tag))).toBe(tagKey(tag));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('tagKeys', () => {
  it('should return distinct keys in the order of the tags', () => {
    expect(tagKeys(['Web', 'Node', 'WEB', 'ｗｅｂ'])).toEqual(['web', 'node']);
  });
});

describe('dedupeTags', () => {
  it('should keep the first spelling as written', () => {
    expect(dedupeTags(['Node', 'web', 'NODE', 'Web', 'Ｗｅｂ', 'js'])).toEqual([
      'Node',
      'web',
      'js',
    ]);
  });

  it('should keep one tag for each key and invent none', () => {
    const tag = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a', 'A', 'ａ', 'constructor'),
    );
    fc.assert(
      fc.property(fc.array(tag), (tags) => {
        const kept = dedupeTags(tags);
        expect(tagKeys(kept)).toEqual(tagKeys(tags));
        expect(kept).toHaveLength(tagKeys(tags).length);
        expect(kept.every((each) => tags.includes(each))).toBe(true);
      }),
    );
  });
});

describe('textWords', () => {
  it('should return distinct normalised words in order, without function words', () => {
    expect(textWords('The Event Loop: what IT is, and why the event loop blocks', 10)).toEqual([
      'event',
      'loop',
      'blocks',
    ]);
  });

  it.each([
    ['日本語のテキスト', ['日本語', 'の', 'テキスト']],
    ['ภาษาไทยง่ายมาก', ['ภาษา', 'ไทย', 'ง่าย', 'มาก']],
    ['한국어 글', ['한국어', '글']],
    ['Привет, мир в огне', ['привет', 'мир', 'огне']],
    ['Node.js 24 in 2025', ['node.js', '2025']],
    ['ＦＡＳＴ Cafe\u0301', ['fast', 'café']],
    ['you’re “don’t”', ["you're", "don't"]],
    ['🎉 --- !!', []],
  ])('should find the words of %j', (text, words) => {
    expect(textWords(text, 20)).toEqual(words);
  });

  it('should return at most `max` words', () => {
    expect(textWords('alpha beta gamma', 2)).toEqual(['alpha', 'beta']);
    expect(textWords('alpha beta gamma', 0)).toEqual([]);
  });

  it('should return distinct words in the form of keys, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.nat(20), (text, max) => {
        const words = textWords(text, max);
        expect(words.length).toBeLessThanOrEqual(max);
        expect(tagKeys(words)).toEqual(words);
      }),
    );
  });

  it.each(['ก', '漢', 'ﷺ', "a'", '\u0301\u0323', 'a b c ', ' - '])(
    'should take bounded time for a long run of %j',
    (unit) => {
      expect(cpuTime(() => textWords(unit.repeat(100_000), 1_000), 1)).toBeLessThan(1_000);
    },
  );
});
