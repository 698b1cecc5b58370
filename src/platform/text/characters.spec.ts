import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../test/support/time/cpu-time.js';
import {
  asOneLine,
  forbiddenProblem,
  hasVisible,
  withoutForbidden,
  withoutNeedlessInvisible,
} from './characters.js';

describe('hasVisible', () => {
  it.each(['a', '春', '.', '❤️', '\ue000', ' \u200b1'])('should be true for %j', (text) => {
    expect(hasVisible(text)).toBe(true);
  });

  it.each(
    [
      '',
      ' \n\u3000',
      '\u200b\u200c\u200d',
      '\u00ad',
      '\u202a\u202c',
      '\ufeff',
      '\ufe0f',
      '\u3164',
      '\u115f\u1160',
      '\uffa0',
      '\u2800',
      '\u0301',
      '\u20e3',
      '\ufff9\ufffc',
      '\uffff',
      '\u{e0041}\u{e007f}',
      '\u{1d159}',
      '\ud800',
    ].map((text) => [JSON.stringify(text), text] as const),
  )('should be false for %s', (_, text) => {
    expect(hasVisible(text)).toBe(false);
  });
});

describe('withoutNeedlessInvisible', () => {
  it.each([
    ['web\u200bdev\u00ad', 'webdev'],
    ['web\u200d\u2060dev', 'webdev'],
    ['\u200fשלום\u200e', 'שלום'],
    ['\u3164a\u2800', 'a'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['क्\u200dष', 'क्\u200dष'],
    ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['❤\ufe0f 1\ufe0f\u20e3', '❤\ufe0f 1\ufe0f\u20e3'],
    ['🏴\u{e0067}\u{e007f}', '🏴\u{e0067}\u{e007f}'],
    ['a\ufe0f\u200d👩\u200d', 'a👩'],
  ])('should turn %j into %j', (text, expected) => {
    expect(withoutNeedlessInvisible(text)).toBe(expected);
  });
});

describe('asOneLine', () => {
  it.each([
    [' a\tb\r\n c \u2028 d\v\fe\u0085f ', 'a b c d e f'],
    ['a  b \u3000c', 'a  b \u3000c'],
  ])('should turn %j into %j', (text, line) => {
    expect(asOneLine(text)).toBe(line);
  });

  it('should take linear time', () => {
    expect(cpuTime(() => asOneLine(`a${' '.repeat(1_000_000)}b\tc`))).toBeLessThan(1_000);
  });
});

describe('forbiddenProblem', () => {
  it.each(['a\tb\nc\r\nd', 'a\u200d\u200e\u00ad', '\u2067א\u2069 b', '\u202aa\u202c'])(
    'should accept %j',
    (text) => {
      expect(forbiddenProblem(text)).toBeNull();
      expect(withoutForbidden(text)).toBe(text);
    },
  );

  it.each([
    ['a\u001b[2Jb', 'control characters (U+001B)', 'a[2Jb'],
    ['a\u007fb', 'control characters (U+007F)', 'ab'],
    ['a\u0092b', 'control characters (U+0092)', 'ab'],
    ['a\u202eb\u202c', 'characters that turn the order of others (U+202E)', 'ab'],
    ['a\u2067b', 'characters that turn the order of others (U+2067)', 'ab'],
    ['a\u2069\u2067b', 'characters that turn the order of others (U+2069)', 'ab'],
    ['a\u2066b\nc\u2069', 'characters that turn the order of others (U+2066)', 'ab\nc'],
  ])('should refuse %j', (text, what, stripped) => {
    expect(forbiddenProblem(text)).toBe(`must not contain ${what}`);
    expect(withoutForbidden(text)).toBe(stripped);
  });
});
