import { describe, expect, it } from '@jest/globals';
import { looksFormer } from './former-names.js';

describe('looksFormer', () => {
  it.each([
    'Former author',
    'FORMER USER',
    ' former  author ',
    'Former-Author',
    'formeruser',
    '“Former author”',
    'Ｆｏｒｍｅｒ　ａｕｔｈｏｒ',
    '𝓕𝓸𝓻𝓶𝓮𝓻 𝓾𝓼𝓮𝓻',
    'Förmér áuthor',
    'Forme\u0301r us\u200ber',
    'Former\u00adauthor',
    'Fоrmеr аuthоr',
    'ꓝᴏrmer аutнοr',
    'F0rmer user',
    'Forrner author',
    'ſormer Uſer',
    'Formеr uѕеr',
  ])('should be true for %j', (name) => {
    expect(looksFormer(name)).toBe(true);
  });

  it.each([
    'Ada Lovelace',
    'Former',
    'Author',
    'Former author 2',
    'A former user of Go',
    '春',
    '🎉',
    '',
  ])('should be false for %j', (name) => {
    expect(looksFormer(name)).toBe(false);
  });
});
