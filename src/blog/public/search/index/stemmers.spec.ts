import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEARCH_LANGUAGES } from '../../../../platform/config/values/search-language.js';
import { keepsFirstLetter, loadStem } from './stemmers.js';

const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ',
  'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցուփքօֆ',
  'अइउएकखगचजटडणतदधनपफबभमयरलवशषसहािीुूेैो्',
  'அஆஇஈஉஊஎஏகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோ்',
];
const anyWord = fc.oneof(
  ...ALPHABETS.map((letters) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 }),
  ),
);

describe('loadStem', () => {
  it('should return a stem for every word: bg', async () => {
    const stemOf = await loadStem('bg');
    expect(['вестници', 'книгата'].map(stemOf)).toEqual(['вестници', 'книг']);
  });

  it.each(SEARCH_LANGUAGES.filter(keepsFirstLetter))(
    'should return stems that begin like their words: %s',
    async (language) => {
      const stemOf = await loadStem(language);
      fc.assert(
        fc.property(anyWord, (word) => {
          expect(stemOf(word).charCodeAt(0)).toBe(word.charCodeAt(0));
        }),
        { numRuns: 2_000 },
      );
    },
  );
});
