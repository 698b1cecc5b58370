// Node runs this module on the thread of SearchIndexer, in tests as TypeScript, so these imports end in `.ts`.
import type { SearchLanguage } from '../../../../platform/config/values/search-language.ts';
import { visibleText } from '../../../core/text/visible-text.ts';
import type { SearchWord } from '../words/search-word.ts';
import { nestedWords, wordsIn } from '../words/search-words.ts';
import { loadStem, type Stem } from './stemmers.ts';

/** The places of an article in which a word may stand, the most important one first. */
export const PLACES = ['title', 'tags', 'description', 'text'] as const;

export type Place = (typeof PLACES)[number];

/**
 * Largest number of distinct stems of one article that are indexed: about as many as its first
 * 10,000 words have.
 */
export const STEMS_MAX = 2_000;

/** Largest number of other forms of its words, such as `nodejs` for `Node.js`, that are indexed. */
const OTHER_FORMS_MAX = 500;

/** Follows a spelling that is another form of a word. No word contains the sign. */
export const OTHER_FORM_SIGN = '~';

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
  /**
   * The spellings of four characters or more, each with its stem. A spelling that is another form of
   * a word is followed by OTHER_FORM_SIGN.
   */
  readonly spellings: readonly (readonly [spelling: string, stem: string])[];
}

/**
 * A stem with its place, as `live.words` holds it: one digit and the stem. The digit lets an index
 * find the articles that have a word in the title. An article has each stem only once.
 *
 * @param place a position in PLACES; for another form of a word, this position and `PLACES.length`
 */
export function placedStem(place: number, stem: string): string {
  return `${place}${stem}`;
}

function placeOf(placed: string): number {
  return Number(placed.charAt(0));
}

/** @returns the stems by which a search finds the article, and the spellings of its words */
export async function articleWords(task: ArticleTask): Promise<ArticleWords> {
  return wordsOfArticle(task, await loadStem(task.language));
}

function wordsOfArticle(task: ArticleTask, stemOf: Stem): ArticleWords {
  const placed = new Map<string, string>();
  const spellings = new Map<string, string>();
  const otherForms = new Map<string, number>();
  for (const [place, { word, others }] of placedWordsOf(task)) {
    for (const { form } of others) {
      if (otherForms.has(form) || otherForms.size >= OTHER_FORMS_MAX) continue;
      for (const nested of nestedWords(form)) otherForms.set(nested, place + PLACES.length);
    }
    // Most words of a text have been seen earlier in the text.
    if (spellings.has(word)) continue;
    for (const nested of nestedWords(word)) {
      const stem = stemOf(nested);
      if (!placed.has(stem)) placed.set(stem, placedStem(place, stem));
      spellings.set(nested, stem);
    }
    if (placed.size >= STEMS_MAX) break;
  }
  for (const [form, place] of otherForms) {
    const stem = stemOf(form);
    const known = placed.get(stem);
    // A word of the article itself has the stem.
    if (known !== undefined && placeOf(known) < PLACES.length) continue;
    if (known === undefined) placed.set(stem, placedStem(place, stem));
    spellings.set(form + OTHER_FORM_SIGN, stem);
  }
  return { words: [...placed.values()], spellings: [...spellings].filter(isLongEnough) };
}

/** Yields the words of the article with their places, the most important place first. */
function* placedWordsOf({
  title,
  tags,
  description,
  text,
}: ArticleTask): Generator<readonly [place: number, word: SearchWord], void> {
  const texts: readonly (() => string)[] = [
    () => title,
    () => tags.join('\n'),
    () => description,
    () => visibleText(text),
  ];
  for (const [place, read] of texts.entries()) {
    for (const word of wordsIn(read())) yield [place, word];
  }
}

function isLongEnough([spelling]: readonly [string, string]): boolean {
  const { length } = spelling.endsWith(OTHER_FORM_SIGN) ? spelling.slice(0, -1) : spelling;
  return length >= SPELLING_LENGTH_MIN;
}
