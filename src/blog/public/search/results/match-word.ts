import type { Stem } from '../index/stemmers.js';
import type { SearchWord } from '../words/search-word.js';
import { nestedWords } from '../words/search-words.js';
import { merged, type Hit, type WordMatcher } from './highlight.js';

const NONE: readonly number[] = [];

/**
 * @param stems the stems of each searched word
 * @param stemOf the stemmer with which they were made
 * @param keepsFirstLetter whether a stem begins like its words; then most words need no stemming
 */
export function matcherOf(
  stems: readonly (readonly string[])[],
  stemOf: Stem,
  keepsFirstLetter = false,
): WordMatcher {
  const indexes = new Map<string, Set<number>>();
  for (const [index, each] of stems.entries()) {
    for (const stem of each) indexes.set(stem, (indexes.get(stem) ?? new Set()).add(index));
  }
  // The articles of a page have most of their words in common, and stemming is expensive.
  const known = new Map<string, readonly number[]>();
  const beginnings = keepsFirstLetter
    ? new Set([...indexes.keys()].map((stem) => stem.charCodeAt(0)))
    : null;
  const termsOf = (form: string): readonly number[] => {
    if (beginnings && !beginnings.has(form.charCodeAt(0)) && !form.includes('.')) return NONE;
    const remembered = known.get(form);
    if (remembered) return remembered;
    const terms = nestedWords(form).flatMap((nested) => [...(indexes.get(stemOf(nested)) ?? [])]);
    known.set(form, terms);
    return terms;
  };
  const match = ({ word, others, start, end }: SearchWord): Hit | null => {
    const own = termsOf(word);
    let hit: Hit | null = own.length > 0 ? { start, end, terms: own } : null;
    for (const other of others) {
      const terms = termsOf(other.form);
      if (terms.length === 0) continue;
      // Another form may be longer than the word.
      const part: Hit = { start: other.start, end: other.end, terms };
      hit = hit ? merged(hit, part) : part;
    }
    return hit;
  };
  return { beginnings, match };
}
