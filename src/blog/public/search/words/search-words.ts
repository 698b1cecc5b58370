import { foldedWord } from './folded-word.ts';
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

const LETTER = /\p{L}/u;
/** What stands before the apostrophe of `it's` or `C++'s`: no blank. */
const BEFORE_ELISION = /\S/;
/** What stands after the apostrophe of `l'eau` or `l'« eau »`. */
const AFTER_ELISION = /[\p{L}\p{N}\p{Pi}\p{Ps}]/u;

const NO_FORMS: SearchWord['others'] = [];

/** Yields the words of a plain text, in their order. */
export function* wordsIn(text: string): Generator<SearchWord, void> {
  let last: RawWord | undefined;
  /** The last word and those that are linked with it; most words are not linked. */
  let run: RawWord[] | undefined;
  for (const word of rawWordsIn(text)) {
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

function* rawWordsIn(text: string): Generator<RawWord, void> {
  for (const match of text.matchAll(RAW_WORD)) {
    const [raw] = match;
    const start = match.index;
    if (WITHOUT_BLANKS.test(raw)) yield* segmentsOf(raw, start);
    else yield rawWordOf(raw, start, isElided(text, start, raw.length));
  }
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
