import type { SearchLanguage } from '../../../../platform/config/values/search-language.js';
import type * as visible from '../../../core/text/visible-text.js';
import type * as words from './search-words.js';
import type * as stemmers from './stemmers.js';

/**
 * This module also runs on the worker thread of SearchIndexer. There Node runs the compiled files or, in
 * tests, the TypeScript sources, and does not resolve an import of `x.js` to `x.ts`. So this module chooses
 * the extension of its imports, and the imported files import no other source file.
 */

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const { visibleText } = (await import(
  `../../../core/text/visible-text${EXTENSION}`
)) as typeof visible;
const { wordsIn, nestedWords } = (await import(`./search-words${EXTENSION}`)) as typeof words;
const { loadStem } = (await import(`./stemmers${EXTENSION}`)) as typeof stemmers;

/** The places of an article in which a word may stand, the most important one first. */
export const PLACES = ['title', 'tags', 'description', 'text'] as const;

export type Place = (typeof PLACES)[number];

/**
 * Largest number of distinct stems of one article that are indexed: about as many as its first
 * 10,000 words have.
 */
export const STEMS_MAX = 2_000;

/**
 * Shortest spelling that is stored, in characters. A beginning has at least three letters, so the
 * words that are found by it have at least four.
 */
const SPELLING_LENGTH_MIN = 4;

/** An article whose words are to be found, with its text as `cleanHtml` returned it. */
export interface ArticleTask {
  readonly title: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly text: string;
  readonly language: SearchLanguage;
}

export interface ArticleWords {
  /** Each stem once, with the most important of its places (see `placedStem`). */
  readonly words: readonly string[];
  /** The spellings of four characters or more, each with its stem. */
  readonly spellings: readonly (readonly [spelling: string, stem: string])[];
}

/**
 * A stem with its place, as `live.words` holds it: one digit and the stem. The digit lets an index
 * find the articles that have a word in the title. An article has each stem only once.
 */
export function placedStem(place: number, stem: string): string {
  return `${place}${stem}`;
}

/** @returns the place of a placed stem: a position in PLACES */
export function placeOf(placed: string): number {
  return Number(placed.charAt(0));
}

/** @returns the stems by which a search finds the article, and the spellings of its words */
export async function articleWords(task: ArticleTask): Promise<ArticleWords> {
  return wordsOfArticle(task, await loadStem(task.language));
}

function wordsOfArticle(
  { title, tags, description, text }: ArticleTask,
  stemOf: stemmers.Stem,
): ArticleWords {
  const placed = new Map<string, string>();
  const spellings = new Map<string, string>();
  const texts: readonly (() => string)[] = [
    () => title,
    () => tags.join('\n'),
    () => description,
    () => visibleText(text),
  ];
  for (const [place, read] of texts.entries()) {
    for (const { word } of wordsIn(read())) {
      // Most words of a text have been seen earlier in the text.
      if (spellings.has(word)) continue;
      for (const nested of nestedWords(word)) {
        const stem = stemOf(nested);
        if (!placed.has(stem)) {
          if (placed.size >= STEMS_MAX) return resultOf(placed, spellings);
          placed.set(stem, placedStem(place, stem));
        }
        spellings.set(nested, stem);
      }
    }
  }
  return resultOf(placed, spellings);
}

function resultOf(
  placed: ReadonlyMap<string, string>,
  spellings: ReadonlyMap<string, string>,
): ArticleWords {
  return {
    words: [...placed.values()],
    spellings: [...spellings].filter(([spelling]) => spelling.length >= SPELLING_LENGTH_MIN),
  };
}
