/** This file imports no other source file, because a worker thread runs it. */

/**
 * Number of code points of a word that are compared. The rest of a longer word, such as a key in a
 * log, is ignored.
 */
export const WORD_LENGTH_MAX = 40;

/**
 * Number of UTF-16 code units of a word that are read. The limit is needed because normalising
 * sorts marks in quadratic time.
 */
const READ_MAX = 120;

/** Matches the `v` of a version: `v24.1.0` and `24.1.0` are the same. The name `V8` is no version. */
const V_OF_VERSION = /^v(?=\p{N}+\.)/u;

const ASCII = /^[\0-\x7f]*$/;
/** Matches format characters, variation selectors, and the frame of a keycap such as `1️⃣`. */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u20e3]+/gu;
/** Matches accents of Latin and Greek letters. Accents of other scripts often make another letter. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;
/**
 * Matches vowel points of Hebrew and Arabic, which most texts leave out, and the stroke that
 * lengthens an Arabic word.
 */
const VOWEL_POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u0640\u064b-\u065f\u0670]+/gu;
/**
 * Matches letters that the other steps leave as they are. They are replaced by the letters that
 * people type instead.
 */
const OTHER_LETTERS = /[ßøłđıæœςё♯]/gu;
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
  ё: 'е',
  '♯': '#',
};

/**
 * The form in which words are compared: NFKC, lower case, without accents, at most 40 code points.
 */
export function foldedWord(raw: string): string {
  const read = raw.slice(0, READ_MAX);
  const folded = ASCII.test(read) ? read.toLowerCase() : foldedUnicode(read);
  return cutWord(folded.replace(V_OF_VERSION, ''));
}

function foldedUnicode(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '$1')
    .replace(VOWEL_POINTS, '')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .replace(OTHER_LETTERS, (letter) => REPLACEMENTS[letter] ?? letter);
}

/** @returns the first 40 code points of a word */
export function cutWord(word: string): string {
  if (word.length <= WORD_LENGTH_MAX) return word;
  return Array.from(word).slice(0, WORD_LENGTH_MAX).join('');
}
