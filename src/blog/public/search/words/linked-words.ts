import { cutWord } from './folded-word.ts';
import { withoutParticles } from './korean-particles.ts';
import type { OtherForm, RawWord } from './search-word.ts';

/** The forms of words that one sign links, as in `Node.js`. A worker thread runs this file. */

export const APOSTROPHES = new Set("'\u2018\u2019\uff07\u201b\u00b4`ʻʼ\u05f3\u05f4");

/** Signs between two words that people also write as one: `e-mail`, `Node.js`, `don't`, `R&D`. */
const SIGNS = new Set([...APOSTROPHES, ...'-\u2010\u2011.·‧&＆']);

/** Signs between groups of three digits: `1,000`, `1 000`, `1'000`. */
const GROUP_SIGNS = new Set(",'\u2018\u2019\uff07.٬_ \u00a0\u2009\u202f");

const DIGITS = /^\p{Nd}+$/u;
const FIRST_GROUP = /^\p{Nd}{1,3}$/u;
const GROUP = /^\p{Nd}{3}(?:\.\p{Nd}+)?$/u;
/** The beginning of a group, at the end of a query. */
const TYPED_GROUP = /^\p{Nd}{2}$/u;

/** Largest number of linked words that are also found as a whole, as in `state-of-the-art`. */
const WHOLE_MAX = 5;

/**
 * Whether the next word is linked with the last word of a run, by a sign of the kind that links the
 * run: digits with digits, or letters.
 *
 * @param before the word of the run before the last one
 */
export function isLinked(
  text: string,
  before: RawWord | undefined,
  last: RawWord,
  next: RawWord,
): boolean {
  if (last.end !== next.start - 1) return false;
  const sign = text.charAt(last.end);
  if (!SIGNS.has(sign) && !GROUP_SIGNS.has(sign)) return false;
  if (areDigits(last, next)) {
    const isGroup = GROUP.test(next.word) || (sign === ',' && isTyped(text, next));
    const isFirst = before === undefined || areDigits(before, last);
    return isFirst && isGroup && FIRST_GROUP.test(last.word) && GROUP_SIGNS.has(sign);
  }
  if (!SIGNS.has(sign) || (before && areDigits(before, last))) return false;
  return !last.word.includes('.') && !next.word.includes('.');
}

/**
 * @returns the forms of several linked words that contain this one: of each two neighbours, and the
 *   whole. `email` finds `E-Mail-Adresse`, but `1000` does not find `1,000,000`.
 */
export function linkedForms(run: readonly RawWord[], index: number): readonly OtherForm[] {
  const [first, second] = run;
  const isNumber = first !== undefined && second !== undefined && areDigits(first, second);
  const pairs = isNumber
    ? []
    : [run.slice(Math.max(0, index - 1), index + 1), run.slice(index, index + 2)];
  const whole = run.length <= WHOLE_MAX && (isNumber || run.length > 2) ? [run] : [];
  return [...pairs.filter(({ length }) => length === 2), ...whole].flatMap(formsOf);
}

function formsOf(words: readonly RawWord[]): OtherForm[] {
  const whole = cutWord(words.map(({ word }) => word).join(''));
  const [start, end] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
  return [whole, ...withoutParticles(whole)].map((form) => ({ form, start, end }));
}

function areDigits(one: RawWord, next: RawWord): boolean {
  return DIGITS.test(one.word) && /^\p{Nd}/u.test(next.word) && !/\p{L}/u.test(next.word);
}

function isTyped(text: string, { word, end }: RawWord): boolean {
  return end === text.length && TYPED_GROUP.test(word);
}
