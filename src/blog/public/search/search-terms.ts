import type { Types } from 'mongoose';
import { AUTHOR_INDEX, TAG_INDEX, WORD_INDEX } from '../../core/blog.indexes.js';
import { placedStem, placeOf, PLACES } from './index/article-words.worker.js';
import { storedTagKeys } from '../../core/text/words.js';
import { wordsIn } from './index/search-words.js';
import type { IndexKeys } from '../../../platform/database/query-hints.js';

/** Largest number of words of a query. */
export const QUERY_WORDS_MAX = 8;

/**
 * Shortest last word of a query that also counts as the beginning of longer words, in characters.
 */
const BEGINNING_LENGTH_MIN = 3;

/**
 * A condition that an article must meet to be found. An index lists the articles that meet it,
 * newest first.
 */
export interface SearchTerm {
  readonly path: 'live.words' | 'live.tagKeys' | 'author';
  readonly index: IndexKeys;
  /**
   * The values of the index by place, the most important place first. Only words have several
   * places.
   */
  readonly places: readonly (readonly unknown[])[];
  /** @returns the place of a value of the index */
  readonly placeOf: (value: unknown) => number;
}

/** The words of a query. */
export interface QueryWords {
  /** The distinct words of the query, as `wordsIn` folds them. */
  readonly words: readonly string[];
  /** The last word, if longer words may begin with it. */
  readonly beginning: string | null;
}

/** @param q the query, at most 200 characters */
export function queryWords(q: string): QueryWords {
  const words = Array.from(wordsIn(q), ({ word }) => word);
  const last = words.at(-1);
  const isBeginning = last !== undefined && Array.from(last).length >= BEGINNING_LENGTH_MIN;
  return { words: [...new Set(words)], beginning: isBeginning ? last : null };
}

/**
 * @param stems the stems of the word, and of all words that begin with it if it is a beginning;
 *   each once
 */
export function wordTerm(stems: readonly string[]): SearchTerm {
  const places = PLACES.map((_name, place) => stems.map((stem) => placedStem(place, stem)));
  return {
    path: 'live.words',
    index: WORD_INDEX,
    places,
    placeOf: (word) => placeOf(String(word)),
  };
}

/** @param tag a tag as `earlierTagKey` returns it */
export function tagTerm(tag: string): SearchTerm {
  const places = [storedTagKeys(tag)];
  return { path: 'live.tagKeys', index: TAG_INDEX, places, placeOf: onlyPlace };
}

export function authorTerm(author: Types.ObjectId): SearchTerm {
  return { path: 'author', index: AUTHOR_INDEX, places: [[author]], placeOf: onlyPlace };
}

function onlyPlace(): number {
  return 0;
}
