/**
 * The words of a text, as a search compares them. Articles and queries are both split here, so that
 * their words match. This file imports no other source file, because a worker thread runs it.
 */

/** A word, and where it stands in the text, in UTF-16 code units. */
export interface SearchWord {
  /** The word without regard to case, accents and width. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

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

/**
 * Length of the pieces, in UTF-16 code units, into which texts without blanks are cut before their
 * words are found.
 */
const PIECE_MAX = 1_000;

/**
 * Matches a number with points, such as `v24.1.0` or `1.0.2k`, or a run of letters, marks and
 * digits. Invisible characters within a word, such as a soft hyphen, belong to it.
 */
const RAW_WORD = /[vV]?\p{N}+(?:\.\p{N}+)+[\p{L}\p{N}]*|[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Cf}]*/gu;

const NUMBER_WITH_POINTS = /^((\p{N}+)(?:\.\p{N}+)+)[\p{L}\p{N}]*$/u;

/** Matches the `v` of a version: `v24.1.0` and `24.1.0` are the same. The name `V8` is no version. */
const V_OF_VERSION = /^v(?=\p{N}+\.)/u;

const APOSTROPHES = new Set(["'", '\u2019', '\uff07']);

/** Scripts that write no blanks between words. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The locale is fixed, so that the words of a text do not depend on the machine. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });

/** Yields the words of a plain text, in their order. */
export function* wordsIn(text: string): Generator<SearchWord, void> {
  for (const match of text.matchAll(RAW_WORD)) {
    const [raw] = match;
    const start = match.index;
    if (WITHOUT_BLANKS.test(raw)) yield* segmentsOf(raw, start);
    else if (!isElided(text, start, raw.length)) yield wordOf(raw, start);
  }
}

/**
 * All words under which one word is found: `24.1.0` is found by `24.1`, `24` and `v24` too.
 *
 * @param word a word as `wordsIn` returns it
 */
export function nestedWords(word: string): readonly string[] {
  const [, number, first] = NUMBER_WITH_POINTS.exec(word) ?? [];
  if (number === undefined) return [word];
  const parts = number.split('.');
  const shorter = parts.map((_part, index) => parts.slice(0, parts.length - index).join('.'));
  return [...new Set([word, ...shorter, `v${first}`])];
}

function* segmentsOf(raw: string, start: number): Generator<SearchWord, void> {
  for (let at = 0; at < raw.length; at += PIECE_MAX) {
    for (const { segment, index, isWordLike } of SEGMENTER.segment(raw.slice(at, at + PIECE_MAX))) {
      if (isWordLike === true) yield wordOf(segment, start + at + index);
    }
  }
}

function wordOf(raw: string, start: number): SearchWord {
  return { word: foldedWord(raw), start, end: start + raw.length };
}

/**
 * Whether the word is a single letter next to an apostrophe, as in `l'eau` or `it's`. Such a letter
 * does not count as a word.
 */
function isElided(text: string, start: number, length: number): boolean {
  if (length !== 1) return false;
  return APOSTROPHES.has(text[start - 1] ?? '') || APOSTROPHES.has(text[start + 1] ?? '');
}

const ASCII = /^[\0-\x7f]*$/;
const INVISIBLE = /\p{Cf}+/gu;
/** Matches accents of Latin and Greek letters. Accents of other scripts often make another letter. */
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;
/** Matches vowel points of Hebrew and Arabic, which most texts leave out. */
const VOWEL_POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c7\u064b-\u065f\u0670]+/gu;
/**
 * Matches letters that the other steps leave as they are. They are replaced by the letters that
 * people type instead.
 */
const OTHER_LETTERS = /[ßøłđıæœςё]/gu;
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
};

/**
 * The form in which words are compared: NFKC, lower case, without accents, at most 40 code points.
 */
function foldedWord(raw: string): string {
  const read = raw.slice(0, READ_MAX);
  const folded = ASCII.test(read) ? read.toLowerCase() : foldedUnicode(read);
  return cut(folded.replace(V_OF_VERSION, ''));
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

function cut(word: string): string {
  if (word.length <= WORD_LENGTH_MAX) return word;
  return Array.from(word).slice(0, WORD_LENGTH_MAX).join('');
}
