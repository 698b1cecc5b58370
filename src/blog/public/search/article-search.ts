import { Injectable } from '@nestjs/common';
import { SearchStemmer } from './index/search-stemmer.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { ranked, rarityWeights, type Match } from './results/ranking.js';
import { SearchRun } from './search-run.js';
import type { QueryWords, SearchTerm } from './search-terms.js';
import { TermQueries, type TimeRange } from './term-queries.js';

/** What is searched for. */
export interface SearchRequest extends TimeRange {
  readonly words: QueryWords;
  /** What each result must have besides: a tag, an author. */
  readonly filters: readonly SearchTerm[];
}

/** The results of a search, the best first. */
export interface SearchResult {
  readonly matches: readonly Match[];
  /** False when there may be more. */
  readonly isExhaustive: boolean;
  /** Whether the last ones have only most of the words. */
  readonly isPartial: boolean;
  /** The stems of each word, by which it is found in a text. */
  readonly stems: readonly (readonly string[])[];
}

interface Stems {
  /** Of each word, which may be the beginning of several. */
  readonly stems: readonly (readonly string[])[];
  /** False when more words begin so. */
  readonly isComplete: boolean;
}

/** Words that a beginning stands for at most. */
const WORDS_OF_BEGINNING_MAX = 16;

/** Spellings that are read for them. Many have the same stem. */
const SPELLINGS_MAX = 300;

const RESULTS_MAX = 100;

/** With fewer results that have all words, those that have most of them follow. */
const FEW_RESULTS = 10;

/**
 * Finds articles by their words (docs/adr/0013). It costs about the same among any number of articles: it
 * looks at the newest ones with the rarest word, and reads index keys alone.
 *
 * 1. Finds the stems of the words, and of the words that the last one may begin.
 * 2. Reads the newest articles with each word, which shows how rare it is.
 * 3. Takes those with the rarest word, and drops those that lack another one.
 * 4. If few are left, takes those with most of the words as well.
 */
@Injectable()
export class ArticleSearch {
  constructor(
    private readonly queries: TermQueries,
    private readonly stemmer: SearchStemmer,
  ) {}

  /** @param now milliseconds since 1970 */
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
    const all = await run.withAll(terms, RESULTS_MAX);
    const isFew = all.found.length < FEW_RESULTS && stems.length > 1;
    const most = isFew ? await run.withMost(terms, all.found) : { found: [], isComplete: true };
    const weights = rarityWeights(terms.slice(0, stems.length).map(({ frequency }) => frequency));
    const matches = [all, most].flatMap(({ found }) => ranked(found, weights, now));
    const areAll = matches.length <= RESULTS_MAX && all.isComplete && most.isComplete;
    return {
      matches: matches.slice(0, RESULTS_MAX),
      isExhaustive: isComplete && areAll,
      isPartial: most.found.length > 0,
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
    // The shortest words are the most common ones.
    const shortestFirst = spellings.toSorted((one, other) => one._id.length - other._id.length);
    const begun = new Set(shortestFirst.map((each) => each.stem));
    const others = [...begun].slice(0, WORDS_OF_BEGINNING_MAX);
    // Words with the same stem are one word.
    const stems = new Map<string, readonly string[]>();
    for (const word of words) {
      const own = stem(word);
      if (word === beginning) stems.set(own, [...new Set([own, ...others])]);
      else if (!stems.has(own)) stems.set(own, [own]);
    }
    return {
      stems: [...stems.values()],
      isComplete: spellings.length < SPELLINGS_MAX && begun.size <= WORDS_OF_BEGINNING_MAX,
    };
  }
}
