import { withoutParticles } from './korean-particles.ts';
import type { RawWord, SearchWord } from './search-word.ts';

/** The other forms of a single word. A worker thread runs this file. */

const POINT = '.'.charCodeAt(0);
const BLANK = ' '.charCodeAt(0);
const LAST_ASCII = 0x7f;

const NONE: readonly string[] = [];

const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;

/** Letters that are no letters of a next word without a blank: `C++` and a Korean particle. */
const NEXT_LETTER = String.raw`[\p{L}--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]]`;

/** The signs of `C++`, `C#`, `A+` or `A*`. `a+b` has none, but `C++20` has. */
const SIGNS = new RegExp(
  `[+＋]{2}(?!${NEXT_LETTER})|[+＋#＃♯](?![+＋#＃♯\\p{N}]|${NEXT_LETTER})|[*＊](?![*＊\\p{N}]|${NEXT_LETTER})`,
  'vy',
);
const FIRST_OF_SIGNS = new Set('+＋#＃♯');
/** Signs that belong to a single letter only. After a longer word they refer to a footnote. */
const FIRST_AFTER_LETTER = new Set([...FIRST_OF_SIGNS, ...'*＊']);

/** Characters before a point that belongs to no word. The point of `.NET` belongs to its word. */
const BEFORE_OTHER_POINT = /[\p{L}\p{M}\p{N}\p{Pe}\p{Pf}.…]/u;

const EMOJI = /^[\p{ExtPict}\p{RI}]/u;
const FLAG = /^\p{RI}/u;
const SKIN_COLOR = /\p{EMod}/gu;

/** Matches a number in groups of three digits, as in German `1.000`. */
const GROUPED = /^\p{Nd}{1,3}(?:\.\p{Nd}{3})+$/u;

/** @returns the word with the signs that belong to it, and its other forms */
export function ownForms(text: string, raw: RawWord): SearchWord {
  const { word } = raw;
  const start = startOf(text, raw);
  const end = endOf(text, raw);
  if (start === raw.start && end === raw.end) return withShorterForms(raw);
  const signs = text.slice(raw.end, end).normalize('NFKC').replaceAll('♯', '#');
  const others = [{ form: word, start, end }];
  return { word: text.slice(start, raw.start) + word + signs, start, end, others };
}

function startOf(text: string, { word, start }: RawWord): number {
  if (text.charCodeAt(start - 1) !== POINT || !LETTERS.test(word)) return start;
  return BEFORE_OTHER_POINT.test(text.slice(Math.max(0, start - 2), start - 1)) ? start : start - 1;
}

function endOf(text: string, { word, end }: RawWord): number {
  // Most words are followed by a blank. This is the hot path of a search.
  if (text.charCodeAt(end) === BLANK) return end;
  const signs = word.length === 1 ? FIRST_AFTER_LETTER : FIRST_OF_SIGNS;
  if (!signs.has(text.charAt(end)) || !LETTERS.test(word)) return end;
  SIGNS.lastIndex = end;
  return SIGNS.test(text) ? SIGNS.lastIndex : end;
}

function withShorterForms(raw: RawWord): SearchWord {
  const { word, start, end } = raw;
  const forms = shorterForms(word);
  if (forms.length === 0) return raw;
  return { word, start, end, others: forms.map((form) => ({ form, start, end })) };
}

/** @returns another form of a number, a Korean word or an emoji; most words have none */
function shorterForms(word: string): readonly string[] {
  if (word.charCodeAt(word.length - 1) <= LAST_ASCII) {
    return word.includes('.') && GROUPED.test(word) ? [word.replaceAll('.', '')] : NONE;
  }
  if (!EMOJI.test(word)) return withoutParticles(word);
  if (FLAG.test(word)) return NONE;
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  return [...new Set([word.replace(SKIN_COLOR, ''), first])].filter((form) => form !== word);
}
