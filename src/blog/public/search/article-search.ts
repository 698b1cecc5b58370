import { Injectable } from '@nestjs/common';
import { SearchStemmer } from './index/search-stemmer.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { ranked, rarityWeights, type Match } from './results/ranking.js';
import { SearchRun } from './search-run.js';
import type { QueryWords, SearchTerm } from './search-terms.js';
import { TermQueries, type TimeRange } from './term-queries.js';

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

interface Stems {
  /** The stems of each word; a word that is a beginning has the stems of several words. */
  readonly stems: readonly (readonly string[])[];
  /** Whether these are all stems of the beginning; false when there may be more. */
  readonly isComplete: boolean;
}

/** Largest number of stems that a beginning stands for. */
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
    const { stems, isComplete } = await this.stemsOf(words, reads);
    if (stems.length === 0) {
      return { matches: [], isExhaustive: true, isPartial: false, stems };
    }
    const run = new SearchRun(this.queries, { range, now, reads });
    const terms = await run.sample(stems, filters);
    const withAll = await run.withAll(terms, RESULTS_MAX);
    const isFew = withAll.found.length < FEW_RESULTS && stems.length > 1;
    const withMost = isFew
      ? await run.withMost(terms, withAll.found)
      : { found: [], isComplete: true };
    const weights = rarityWeights(terms.slice(0, stems.length).map(({ frequency }) => frequency));
    const matches = [withAll, withMost].flatMap(({ found }) => ranked(found, weights, now));
    const hasAllMatches =
      matches.length <= RESULTS_MAX && withAll.isComplete && withMost.isComplete;
    return {
      matches: matches.slice(0, RESULTS_MAX),
      isExhaustive: isComplete && hasAllMatches,
      isPartial: withMost.found.length > 0,
      stems,
    };
  }

  private async stemsOf(
    { words, beginning }: QueryWords,
    reads: PublicReadOptions,
  ): Promise<Stems> {
    const stem = await this.stemmer.load();
    const spellings =
      beginning === null ? [] : await this.queries.spellingsOf(beginning, SPELLINGS_MAX, reads);
    // The shortest words come first, because they are the most common ones.
    const shortestFirst = spellings.toSorted((one, other) => one._id.length - other._id.length);
    const stemsOfBeginning = new Set(shortestFirst.map((each) => each.stem));
    const usedStems = [...stemsOfBeginning].slice(0, STEMS_OF_BEGINNING_MAX);
    // Words with the same stem count as one word.
    const stems = new Map<string, readonly string[]>();
    for (const word of words) {
      const own = stem(word);
      if (word === beginning) stems.set(own, [...new Set([own, ...usedStems])]);
      else if (!stems.has(own)) stems.set(own, [own]);
    }
    return {
      stems: [...stems.values()],
      isComplete:
        spellings.length < SPELLINGS_MAX && stemsOfBeginning.size <= STEMS_OF_BEGINNING_MAX,
    };
  }
}
