import type { PublicReadOptions } from '../reads/public-reads.js';
import { frequencies, type Match, type Sample } from './results/ranking.js';
import { wordTerm, type SearchTerm } from './search-terms.js';
import type { Candidate, TermQueries, TimeRange } from './term-queries.js';

/** A word or a filter of a search, with what its newest articles tell of it. */
export interface SampledTerm extends SearchTerm {
  /** The position among the words; undefined for a filter. */
  readonly word: number | undefined;
  readonly sample: Sample;
  /** About how many articles have it. */
  readonly frequency: number;
}

/** The articles of one step of a search. */
export interface Candidates {
  readonly found: readonly Match[];
  /** False when there may be more, which were not looked at. */
  readonly isComplete: boolean;
}

interface SearchRunOptions {
  readonly range: TimeRange;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly reads: PublicReadOptions;
}

/** The newest articles with a term that are read to compare how rare the terms are. */
const SAMPLE_SIZE = 100;

/** The newest articles with a term that may be found: by the place of a word, most of them by the text. */
const CANDIDATES_OF_WORD = [250, 250, 250, 1_000];
const CANDIDATES_OF_FILTER = [1_000];

/** The steps of one search. Each reads index keys alone, a bounded number of them. */
export class SearchRun {
  constructor(
    private readonly queries: TermQueries,
    private readonly options: SearchRunOptions,
  ) {}

  /** @returns the words, in their order, and then the filters */
  async sample(
    stems: readonly (readonly string[])[],
    filters: readonly SearchTerm[],
  ): Promise<SampledTerm[]> {
    const terms = [
      ...stems.map((each, word) => ({ ...wordTerm(each), word })),
      ...filters.map((filter) => ({ ...filter, word: undefined })),
    ];
    const samples = await Promise.all(terms.map((term) => this.sampleOf(term)));
    const counts = frequencies(samples, this.options.now);
    return terms.map((term, index) => ({
      ...term,
      sample: samples[index] ?? { newest: [], isComplete: true },
      frequency: counts[index] ?? 0,
    }));
  }

  /** Takes the newest articles with the rarest term, and drops those that lack another one. */
  async withAll(terms: readonly SampledTerm[]): Promise<Candidates> {
    const [rarest, ...others] = terms.toSorted(rarestFirst);
    if (!rarest) return { found: [], isComplete: true };
    const { found: candidates, isComplete } = await this.candidatesOf(rarest);
    let found = candidates;
    for (const term of others) found = await this.having(term, found);
    return { found, isComplete };
  }

  /**
   * Takes the newest articles with one of the rarest words, of which an article with most of the words has
   * one at least, and drops those that lack too many words, or a filter.
   *
   * @param complete the matches with all words, which are left out
   */
  async withMost(terms: readonly SampledTerm[], complete: readonly Match[]): Promise<Candidates> {
    const words = terms.filter(isWord);
    const needed = mostOf(words.length);
    const rarest = words.toSorted(rarestFirst).slice(0, words.length - needed + 1);
    const lists = await Promise.all(rarest.map((term) => this.candidatesOf(term)));
    const candidates = new Map(
      lists.flatMap(({ found }) => found).map((each) => [keyOf(each), each]),
    );
    for (const each of complete) candidates.delete(keyOf(each));
    let found: readonly Match[] = [...candidates.values()];
    for (const filter of terms) if (!isWord(filter)) found = await this.having(filter, found);
    const placed = await Promise.all(words.map((term) => this.placesIn(found, term)));
    const matches = found.map(({ candidate }) => ({
      candidate,
      places: placed.map((places) => places.get(candidate._id.toHexString())),
    }));
    return {
      found: matches.filter(({ places }) => places.filter(isPlace).length >= needed),
      isComplete: lists.every(({ isComplete }) => isComplete),
    };
  }

  private async sampleOf(term: SearchTerm): Promise<Sample> {
    const newest = await this.newest(term, term.places.flat(), SAMPLE_SIZE);
    return { newest, isComplete: newest.length < SAMPLE_SIZE };
  }

  /** The newest articles with the term. Where it stands is known of a word that is not rare. */
  private async candidatesOf(term: SampledTerm): Promise<Candidates> {
    const { sample, places } = term;
    if (sample.isComplete) {
      const found = sample.newest.map((candidate) => ({ candidate, places: [] }));
      return { found: await this.having(term, found), isComplete: true };
    }
    const limits = isWord(term) ? CANDIDATES_OF_WORD : CANDIDATES_OF_FILTER;
    const lists = await Promise.all(
      places.map((values, place) => this.newest(term, values, limits[place] ?? 0)),
    );
    // From the last place to the first, which counts if a beginning stands in several places.
    const matches = lists.flatMap((list, place) =>
      list.map((candidate) => placedAt({ candidate, places: [] }, term, place)),
    );
    const byId = new Map(matches.toReversed().map((match) => [keyOf(match), match]));
    const isComplete = lists.every((list, place) => list.length < (limits[place] ?? 0));
    return { found: [...byId.values()], isComplete };
  }

  /** The matches that have the term as well. */
  private async having(term: SampledTerm, matches: readonly Match[]): Promise<Match[]> {
    const places = await this.placesIn(matches, term);
    return matches.flatMap((match) => {
      const place = places.get(keyOf(match));
      return place === undefined ? [] : [placedAt(match, term, place)];
    });
  }

  private newest(
    term: SearchTerm,
    values: readonly unknown[],
    limit: number,
  ): Promise<Candidate[]> {
    const { range, reads } = this.options;
    return this.queries.newest(term, values, { ...range, limit }, reads);
  }

  private async placesIn(
    matches: readonly Match[],
    term: SearchTerm,
  ): Promise<ReadonlyMap<string, number>> {
    if (matches.length === 0) return new Map();
    const candidates = matches.map(({ candidate }) => candidate);
    return this.queries.placesIn(candidates, term, this.options.reads);
  }
}

/** How many words of a search most of them are: more than half, and one of two. */
export function mostOf(words: number): number {
  return words === 2 ? 1 : Math.floor(words / 2) + 1;
}

function rarestFirst(one: SampledTerm, other: SampledTerm): number {
  return one.frequency - other.frequency;
}

function isWord({ word }: SampledTerm): boolean {
  return word !== undefined;
}

function isPlace(place: number | undefined): place is number {
  return place !== undefined;
}

function keyOf({ candidate }: Match): string {
  return candidate._id.toHexString();
}

function placedAt(match: Match, { word }: SampledTerm, place: number): Match {
  if (word === undefined) return match;
  const places = [...match.places];
  places[word] = place;
  return { ...match, places };
}
