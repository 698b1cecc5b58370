import type { Types } from 'mongoose';
import { AUTHOR_INDEX, TAG_INDEX, WORD_INDEX } from '../../core/blog.indexes.js';
import { storedTagKeys } from '../../core/text/words.js';
import { placedStem, PLACES } from './index/article-words.worker.js';
import type { SearchWord, TextRange } from './words/search-word.js';
import { wordsIn } from './words/search-words.js';
import type { IndexKeys } from '../../../platform/database/query-hints.js';

/** Largest number of words of a query. */
export const QUERY_WORDS_MAX = 8;

/**
 * Shortest last word of a query that also counts as the beginning of longer words, in characters.
 */
const BEGINNING_LENGTH_MIN = 3;

/** Largest number of other forms of a word that are searched for. */
const OTHER_FORMS_MAX = 8;

/** Largest number of beginnings that are completed: the last word, and the forms that it is a part of. */
const BEGINNINGS_MAX = 3;

const OWN_PLACES = [...PLACES.keys()];
/** The places of words that are found by another form (see `placedStem`). */
const OTHER_PLACES = OWN_PLACES.map((place) => place + PLACES.length);
export const PLACES_OF = {
  words: OWN_PLACES,
  'other forms': OTHER_PLACES,
  both: [...OWN_PLACES, ...OTHER_PLACES],
};

/**
 * A condition that an article must meet to be found. An index lists the articles that meet it,
 * newest first.
 */
export interface SearchTerm {
  readonly path: 'live.words' | 'live.tagKeys' | 'author';
  readonly index: IndexKeys;
  /**
   * The values of the index by place, the most important place first. Only words have several
   * places: those of PLACES, and the same ones for articles that have another form of the word.
   */
  readonly places: readonly (readonly unknown[])[];
  /**
   * The values in groups, the most important group last. In each group, the index has the value of
   * the most important place first.
   */
  readonly groups: readonly (readonly unknown[])[];
  /** @returns the place of a value of the index */
  readonly placeOf: (value: unknown) => number;
}

/** A word of a query. */
export interface QueryWord {
  /** The word, as `wordsIn` folds it. */
  readonly word: string;
  readonly others: readonly string[];
}

/** The words of a query. */
export interface QueryWords {
  /** The distinct words of the query. */
  readonly words: readonly QueryWord[];
  /** The last word, and its other forms that end with it, if longer words may begin with them. */
  readonly beginnings: readonly string[];
  /** Linked words of the query, as one: `nodejs` for `Node.js`. */
  readonly linked: readonly string[];
}

/** A stem by which a word of a query is found. */
export interface WordForm {
  readonly stem: string;
  /** Whether it is the word itself, and not another form of it. */
  readonly isOwn: boolean;
  /** The forms of words in articles that have the stem. */
  readonly of: 'words' | 'other forms' | 'both';
}

/** @param q the query, at most 200 characters */
export function queryWords(q: string): QueryWords {
  const found = [...wordsIn(q)];
  const words = new Map<string, readonly string[]>();
  for (const { word, others } of found) {
    const forms = [...(words.get(word) ?? []), ...others.map(({ form }) => form)];
    words.set(word, [...new Set(forms)].slice(0, OTHER_FORMS_MAX));
  }
  const last = found.at(-1);
  return {
    words: Array.from(words, ([word, others]) => ({ word, others })),
    beginnings: last ? beginningsOf(last) : [],
    linked: [...new Set(found.flatMap(linkedFormsOf))],
  };
}

/** @returns the longest form of a word and those with which it is linked; none for a single word */
function linkedFormsOf({ others, start, end }: SearchWord): string[] {
  const length = (range: TextRange) => range.end - range.start;
  const [longest] = others.toSorted((one, other) => length(other) - length(one));
  return longest && length(longest) > end - start ? [longest.form] : [];
}

function beginningsOf({ word, others, start, end }: SearchWord): string[] {
  const linked = others.filter((other) => other.end - other.start > end - start);
  return [word, ...linked.map(({ form }) => form)]
    .filter((each) => Array.from(each).length >= BEGINNING_LENGTH_MIN)
    .slice(0, BEGINNINGS_MAX);
}

/** @param forms the forms of the word, its own ones first */
export function wordTerm(forms: readonly WordForm[]): SearchTerm {
  const placeByValue = new Map<string, number>();
  for (const { stem, isOwn, of } of forms) {
    for (const place of PLACES_OF[of]) {
      const value = placedStem(place, stem);
      const placeOfForm = isOwn || place >= PLACES.length ? place : place + PLACES.length;
      if (!placeByValue.has(value)) placeByValue.set(value, placeOfForm);
    }
  }
  const valuesByPlace = Map.groupBy(placeByValue.keys(), (value) => placeByValue.get(value));
  const valuesAt = (places: readonly number[]) =>
    places.map((place) => valuesByPlace.get(place) ?? []);
  const [own, others] = [valuesAt(OWN_PLACES), valuesAt(OTHER_PLACES)];
  const isInOrder = forms.every(({ isOwn, of }) => isOwn || of === 'other forms');
  return {
    path: 'live.words',
    index: WORD_INDEX,
    places: [...own, ...others],
    groups: isInOrder ? [[...own, ...others].flat()] : [others.flat(), own.flat()],
    placeOf: (word) => placeByValue.get(String(word)) ?? 0,
  };
}

/** @param tag a tag as `earlierTagKey` returns it */
export function tagTerm(tag: string): SearchTerm {
  return filterTerm('live.tagKeys', TAG_INDEX, storedTagKeys(tag));
}

export function authorTerm(author: Types.ObjectId): SearchTerm {
  return filterTerm('author', AUTHOR_INDEX, [author]);
}

function filterTerm(
  path: SearchTerm['path'],
  index: IndexKeys,
  values: readonly unknown[],
): SearchTerm {
  return { path, index, places: [values], groups: [values], placeOf: () => 0 };
}
