import { cutWord, foldedWord } from './folded-word.ts';
import { APOSTROPHES, isLinked, linkedForms } from './linked-words.ts';
import { ownForms } from './own-forms.ts';
import type { RawWord, SearchWord } from './search-word.ts';

/**
 * The words of a text, as a search compares them. Articles and queries are both split here, so that
 * their words match. A worker thread runs this file and what it imports.
 */

/**
 * Length of the pieces, in UTF-16 code units, into which texts without blanks are cut before their
 * words are found.
 */
const PIECE_MAX = 1_000;

/** Largest number of words that are linked. Further words begin a new run. */
const RUN_MAX = 8;

const NUMBER = String.raw`[vV]?\p{N}+(?:\.\p{N}+)+[\p{L}\p{N}]*`;
/** The letters `ʻ` and `ʼ` count as apostrophes. */
const LETTERS = String.raw`[[\p{L}\p{N}]--[ʻʼ]][[\p{L}\p{M}\p{N}\p{Cf}]--[ʻʼ]]*`;
/** An emoji with the color of its skin, and those that are joined with it; or a flag. */
const PICTURE = String.raw`[\p{ExtPict}--[©®™ℹ‼⁉]][\ufe0f\p{EMod}]*`;
const EMOJI = String.raw`\p{RI}{2}|${PICTURE}(?:\u200d${PICTURE})*`;

/**
 * Matches a number with points, such as `v24.1.0` or `1.0.2k`; a run of letters, marks and digits;
 * or an emoji. Invisible characters within a word, such as a soft hyphen, belong to it.
 */
const RAW_WORD = new RegExp(`${NUMBER}|${LETTERS}|${EMOJI}`, 'gv');

const NUMBER_WITH_POINTS = /^((\p{N}+)(?:\.\p{N}+)+)[\p{L}\p{N}]*$/u;

/** Scripts that write no blanks between words. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The locale is fixed, so that the words of a text do not depend on the machine. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });

const OTHER_ASCII = 0;
const ASCII_LETTER = 1;
/** A character with which a number with points may begin. */
const ASCII_DIGIT_OR_V = 2;
/** The kind of each ASCII character, by its code. */
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_value, code) => {
  const character = String.fromCharCode(code);
  if (/[\dv]/i.test(character)) return ASCII_DIGIT_OR_V;
  return /[a-z]/i.test(character) ? ASCII_LETTER : OTHER_ASCII;
});

const BLANK = ' '.charCodeAt(0);
const POINT = '.'.charCodeAt(0);
/** Has 1 for the code of each ASCII character that is in no word, belongs to none and links none that begins with a letter. */
const SEPARATORS = Uint8Array.from({ length: 128 }, (_value, code) =>
  /[^\w'`.&+#*-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
/** The bit in which ASCII letters of both cases differ. */
const CASE = 0x20;

const LETTER = /\p{L}/u;
/** What stands before the apostrophe of `it's` or `C++'s`: no blank. */
const BEFORE_ELISION = /\S/;
/** What stands after the apostrophe of `l'eau` or `l'« eau »`. */
const AFTER_ELISION = /[\p{L}\p{N}\p{Pi}\p{Ps}]/u;

const NO_FORMS: SearchWord['others'] = [];

/**
 * Yields the words of a plain text, in their order.
 *
 * @param from where the first word may begin: a position that no word and no linked words contain
 * @param beginnings the codes of lower-case letters: words of ASCII letters that stand apart are left out if
 *   they begin with another letter
 */
export function* wordsIn(
  text: string,
  from = 0,
  beginnings: ReadonlySet<number> | null = null,
): Generator<SearchWord, void> {
  let last: RawWord | undefined;
  /** The last word and those that are linked with it; most words are not linked. */
  let run: RawWord[] | undefined;
  for (const word of rawWordsIn(text, from, beginnings)) {
    if (last && run?.length !== RUN_MAX && isLinked(text, run?.at(-2), last, word)) {
      run ??= [last];
      run.push(word);
    } else {
      if (run) yield* linkedWords(text, run);
      else if (last && !last.isElided) yield ownForms(text, last);
      run = undefined;
    }
    last = word;
  }
  if (last) yield* linkedWords(text, run ?? [last]);
}

/**
 * All words under which one word is found: `24.1.0` is found by `24.1`, `24` and `v24` too.
 *
 * @param word a word as `wordsIn` returns it
 */
export function nestedWords(word: string): readonly string[] {
  if (!word.includes('.')) return [word];
  const [, number, first] = NUMBER_WITH_POINTS.exec(word) ?? [];
  if (number === undefined) return [word];
  const parts = number.split('.');
  const shorter = parts.map((_part, index) => parts.slice(0, parts.length - index).join('.'));
  return [...new Set([word, ...shorter, `v${first}`])];
}

function* linkedWords(text: string, run: readonly RawWord[]): Generator<SearchWord, void> {
  for (const [index, raw] of run.entries()) {
    if (raw.isElided) continue;
    const own = ownForms(text, raw);
    const linked = linkedForms(run, index).map((form) => ({
      ...form,
      // The first word may have a point, and the last one a sign, as in `.a-C#`.
      start: Math.min(form.start, own.start),
      end: Math.max(form.end, own.end),
    }));
    yield { ...own, others: [...own.others, ...linked] };
  }
}

function* rawWordsIn(
  text: string,
  from: number,
  beginnings: ReadonlySet<number> | null,
): Generator<RawWord, void> {
  let at = from;
  while (at < text.length) {
    const kind = asciiKindAt(text, at);
    if (kind === OTHER_ASCII) {
      at += 1;
      continue;
    }
    const end = kind === ASCII_LETTER ? endOfPlainWord(text, at) : at;
    if (end > at) {
      // Nothing links a word between two blanks, so no other word can depend on it.
      if (beginnings && isApart(text, at, end) && !beginnings.has(text.charCodeAt(at) | CASE)) {
        at = end;
        continue;
      }
      const word = cutWord(text.slice(at, end).toLowerCase());
      const isElidedLetter = isElided(text, at, end - at);
      yield { word, start: at, end, others: NO_FORMS, isElided: isElidedLetter };
      at = end;
      continue;
    }
    RAW_WORD.lastIndex = at;
    const match = RAW_WORD.exec(text);
    if (!match) return;
    const [raw] = match;
    const start = match.index;
    at = start + raw.length;
    if (WITHOUT_BLANKS.test(raw)) yield* segmentsOf(raw, start);
    else yield rawWordOf(raw, start, isElided(text, start, raw.length));
  }
}

function asciiKindAt(text: string, at: number): number | undefined {
  return ASCII_KINDS[text.charCodeAt(at)];
}

/**
 * @returns the end of a word of ASCII letters and digits alone, which most words are, so that they are
 *   found without a regular expression; the start if the word may have other characters
 */
function endOfPlainWord(text: string, start: number): number {
  let end = start + 1;
  let kind = asciiKindAt(text, end);
  while (kind === ASCII_LETTER || kind === ASCII_DIGIT_OR_V) {
    end += 1;
    kind = asciiKindAt(text, end);
  }
  return kind === OTHER_ASCII || end >= text.length ? end : start;
}

/** Whether nothing can link an ASCII word with another one, and no sign belongs to it. */
function isApart(text: string, start: number, end: number): boolean {
  const isLastOfSentence = text.charCodeAt(end) === POINT && text.charCodeAt(end + 1) === BLANK;
  return (
    SEPARATORS[text.charCodeAt(start - 1)] === 1 &&
    (isLastOfSentence || SEPARATORS[text.charCodeAt(end)] === 1)
  );
}

function* segmentsOf(raw: string, start: number): Generator<RawWord, void> {
  for (let at = 0; at < raw.length; at += PIECE_MAX) {
    for (const { segment, index, isWordLike } of SEGMENTER.segment(raw.slice(at, at + PIECE_MAX))) {
      if (isWordLike === true) yield rawWordOf(segment, start + at + index, false);
    }
  }
}

function rawWordOf(raw: string, start: number, isElided: boolean): RawWord {
  return { word: foldedWord(raw), start, end: start + raw.length, others: NO_FORMS, isElided };
}

/** Whether it is a single letter that an apostrophe links. A letter in quotation marks is a word. */
function isElided(text: string, start: number, length: number): boolean {
  if (length !== 1 || !LETTER.test(text.charAt(start))) return false;
  const [before = '', after = ''] = [text[start - 1], text[start + 1]];
  return (
    (APOSTROPHES.has(before) && BEFORE_ELISION.test(text.charAt(start - 2))) ||
    (APOSTROPHES.has(after) && AFTER_ELISION.test(text.charAt(start + 2)))
  );
}
