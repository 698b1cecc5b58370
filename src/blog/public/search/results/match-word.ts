import type { Stem } from '../index/stemmers.js';
import { nestedWords } from '../words/search-words.js';
import { merged, type Hit, type MatchWord } from './highlight.js';

/**
 * @param stems the stems of each searched word
 * @param stemOf the stemmer with which they were made
 * @returns a function that tells which searched words a word of an article matches
 */
export function matcherOf(stems: readonly (readonly string[])[], stemOf: Stem): MatchWord {
  const indexes = new Map<string, Set<number>>();
  for (const [index, each] of stems.entries()) {
    for (const stem of each) indexes.set(stem, (indexes.get(stem) ?? new Set()).add(index));
  }
  // The articles of a page have most of their words in common, and stemming is expensive.
  const known = new Map<string, readonly number[]>();
  const termsOf = (form: string): readonly number[] => {
    const terms =
      known.get(form) ??
      nestedWords(form).flatMap((nested) => [...(indexes.get(stemOf(nested)) ?? [])]);
    known.set(form, terms);
    return terms;
  };
  return ({ word, others, start, end }) => {
    let hit: Hit | null = null;
    for (const range of [{ form: word, start, end }, ...others]) {
      const part: Hit = { start: range.start, end: range.end, terms: termsOf(range.form) };
      // Another form may be longer than the word.
      if (part.terms.length > 0) hit = hit ? merged(hit, part) : part;
    }
    return hit;
  };
}
