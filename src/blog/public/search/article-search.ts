import { Injectable } from '@nestjs/common';
import { SearchStemmer } from './index/search-stemmer.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { ranked, rarityWeights, type Match } from './results/ranking.js';
import { SearchRun } from './search-run.js';
import { OTHER_FORM_SIGN } from './index/article-words.worker.js';
import type { QueryWords, SearchTerm, WordForm } from './search-terms.js';
import { TermQueries, type TimeRange } from './term-queries.js';
import { wordsIn } from './words/search-words.js';

/** The request of a search. */
export interface SearchRequest extends TimeRange {
  readonly words: QueryWords;
  /** Filters that each result must meet in addition to the words: a tag, an author. */
  readonly filters: readonly SearchTerm[];
}

/** The results of a search, the best first. */
export interface SearchResult {
  readonly matches: readonly Match[];
  /** Whether these are all results; false when there may be more. */
  readonly isExhaustive: boolean;
  /** Whether results with most of the words, but not all, follow those with all words. */
  readonly isPartial: boolean;
  /** The stems of each word, by which the word is found in a text. */
  readonly stems: readonly (readonly string[])[];
}

/** The forms by which the words of a query are found. */
interface FormsOfWords {
  /** The forms of each word, its own ones first. */
  readonly forms: readonly (readonly WordForm[])[];
  /** Linked words of the query, as one. */
  readonly linked: readonly WordForm[];
  /** Whether these are all; false when there may be more. */
  readonly isComplete: boolean;
}

/** The words of articles that begin like the last word of a query. */
interface Completions {
  /** The stems of the words, and of their other forms. */
  readonly forms: readonly Omit<WordForm, 'isOwn'>[];
  /** Whether these are all; false when there may be more. */
  readonly isComplete: boolean;
}

/** Largest number of stems that the beginnings of a query stand for. */
const STEMS_OF_BEGINNING_MAX = 16;

/** Number of spellings that are read for a beginning. Many spellings have the same stem. */
const SPELLINGS_MAX = 300;

const RESULTS_MAX = 100;

/** If fewer results than this have all words, results with most of the words follow. */
const FEW_RESULTS = 10;

/**
 * Finds articles by their words (docs/adr/0013). A search costs about the same among any number of
 * articles: for each word it reads index keys of the newest articles only, a limited number of them.
 *
 * 1. Finds the stems of the words, and the stems of all words that begin with the last word.
 * 2. Reads the newest articles with each word, which shows how rare the word is.
 * 3. Takes the articles with the rarest word, and drops those that lack another word.
 * 4. If few articles are left, adds articles with most of the words.
 */
@Injectable()
export class ArticleSearch {
  constructor(
    private readonly queries: TermQueries,
    private readonly stemmer: SearchStemmer,
  ) {}

  /** @param now present time in milliseconds since 1970 */
  async search(
    { words, filters, ...range }: SearchRequest,
    now: number,
    reads: PublicReadOptions,
  ): Promise<SearchResult> {
    const { forms, linked, isComplete } = await this.formsOf(words, reads);
    const stems = forms.map((each) => each.map(({ stem }) => stem));
    if (stems.length === 0) {
      return { matches: [], isExhaustive: true, isPartial: false, stems };
    }
    const run = new SearchRun(this.queries, { range, now, reads });
    const terms = await run.sample(forms, filters);
    const withAll = await run.withAll(terms, RESULTS_MAX);
    const all = await run.withLinks(withAll.found, linked);
    const isFew = withAll.found.length < FEW_RESULTS && stems.length > 1;
    const withMost = isFew
      ? await run.withMost(terms, withAll.found)
      : { found: [], isComplete: true };
    const weights = rarityWeights(terms.slice(0, stems.length).map(({ frequency }) => frequency));
    const matches = [all, withMost.found].flatMap((found) => ranked(found, weights, now));
    const hasAllMatches =
      matches.length <= RESULTS_MAX && withAll.isComplete && withMost.isComplete;
    return {
      matches: matches.slice(0, RESULTS_MAX),
      isExhaustive: isComplete && hasAllMatches,
      isPartial: withMost.found.length > 0,
      stems,
    };
  }

  private async formsOf(
    { words, beginnings, linked }: QueryWords,
    reads: PublicReadOptions,
  ): Promise<FormsOfWords> {
    const stemOf = await this.stemmer.load();
    const limit = Math.floor(STEMS_OF_BEGINNING_MAX / Math.max(1, beginnings.length));
    const found = await Promise.all(
      beginnings.map(async (each) => [each, await this.completions(each, limit, reads)] as const),
    );
    const completions = new Map(found);
    const completed = (word: string, isOwn: boolean): WordForm[] =>
      (completions.get(word)?.forms ?? []).map((form) => ({ ...form, isOwn }));
    // Words with the same stem count as one word.
    const forms = new Map<string, WordForm[]>();
    for (const { word, others } of words) {
      const stem = stemOf(word);
      const known = forms.get(stem) ?? [];
      const otherForms = others.flatMap((other): WordForm[] => [
        { stem: stemOf(other), isOwn: false, of: 'both' },
        ...completed(other, false),
      ]);
      // A longer word may be another form: `dont` begins with the word of `don't`.
      const otherStems = new Set(otherForms.map((form) => form.stem));
      const longer = completed(word, true).filter((form) => !otherStems.has(form.stem));
      const own: WordForm = { stem, isOwn: true, of: 'both' };
      forms.set(stem, [...known, own, ...longer, ...otherForms].toSorted(ownFirst));
    }
    return {
      forms: [...forms.values()],
      linked: linked.map((form) => ({ stem: stemOf(form), isOwn: true, of: 'both' })),
      isComplete: found.every(([, { isComplete }]) => isComplete),
    };
  }

  private async completions(
    beginning: string,
    limit: number,
    reads: PublicReadOptions,
  ): Promise<Completions> {
    const spellings = await this.queries.spellingsOf(beginning, SPELLINGS_MAX, reads);
    // The shortest words come first, because they are the most common ones.
    const shortestFirst = spellings.toSorted((one, other) => one._id.length - other._id.length);
    const forms = new Map<string, Completions['forms'][number]>();
    for (const { _id, stem } of shortestFirst) {
      if (isFormOf(_id, beginning)) continue;
      const of = _id.endsWith(OTHER_FORM_SIGN) ? 'other forms' : 'words';
      forms.set(`${of} ${stem}`, { stem, of });
    }
    return {
      forms: [...forms.values()].slice(0, limit),
      isComplete: spellings.length < SPELLINGS_MAX && forms.size <= limit,
    };
  }
}

/** Whether a longer spelling is found by this word anyway, as `C++` is by `C`. */
function isFormOf(spelling: string, word: string): boolean {
  // No word in ASCII letters and digits alone has a shorter form.
  if (/[a-z0-9~]$/.test(spelling)) return false;
  return Array.from(wordsIn(spelling)).some(({ others }) =>
    others.some(({ form }) => form === word),
  );
}

function ownFirst(one: WordForm, other: WordForm): number {
  return Number(other.isOwn) - Number(one.isOwn);
}
