import { PLACES } from './index/article-words.worker.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { frequencies, type Match, type Sample } from './results/ranking.js';
import { wordTerm, type SearchTerm, type WordForm } from './search-terms.js';
import type { PlacedCandidate, TermQueries, TimeRange } from './term-queries.js';

interface PlacedSample extends Sample {
  readonly newest: readonly PlacedCandidate[];
}

/** A word or a filter of a search, with its newest articles and its estimated frequency. */
export interface SampledTerm extends SearchTerm {
  /** The position of the term among the words; undefined for a filter. */
  readonly word: number | undefined;
  readonly sample: PlacedSample;
  /** Estimated number of articles that have the term. */
  readonly frequency: number;
}

/** The articles of one step of a search. */
export interface Candidates {
  readonly found: readonly Match[];
  /** Whether all candidates were checked; false when there may be more. */
  readonly isComplete: boolean;
}

interface SearchRunOptions {
  readonly range: TimeRange;
  /** The present time in milliseconds since 1970. */
  readonly now: number;
  readonly reads: PublicReadOptions;
}

/** Number of the newest articles with a term that are read to compare how rare the terms are. */
const SAMPLE_SIZE = 60;

/**
 * How many of the newest articles are read that have a word in the title, and how many that have it
 * in the tags or the description.
 */
const PROMINENT_READS: readonly { readonly places: readonly number[]; readonly limit: number }[] = [
  { places: [PLACES.indexOf('title')], limit: 100 },
  { places: [PLACES.indexOf('tags'), PLACES.indexOf('description')], limit: 100 },
];

/** How many of the newest articles are read that have the word itself, if others have another form. */
const OWN_FORM_READ = { places: [PLACES.indexOf('text')], limit: 100 };

/**
 * Like PROMINENT_READS, for results with most of the words. These reads are of titles only, because
 * they are made for several words.
 */
const PARTIAL_PROMINENT_READS = [{ places: [PLACES.indexOf('title')], limit: 100 }];

/**
 * Largest number of candidates that are checked for results with most of the words. Candidates with
 * more of the rarest words come first; of those with equally many, the newer ones.
 */
const PARTIAL_CANDIDATES_MAX = 200;

/**
 * Numbers of articles that are read in turn after the sample, while too few articles have all
 * terms. Together with the sample, these are the newest 1,000.
 */
const NEWEST_STEPS = [340, 600];

/** The steps of one search. Each step reads a bounded number of index keys and no documents. */
export class SearchRun {
  constructor(
    private readonly queries: TermQueries,
    private readonly options: SearchRunOptions,
  ) {}

  /**
   * Reads the sample of each word and filter.
   *
   * @returns first the words, in their order, and then the filters
   */
  async sample(
    words: readonly (readonly WordForm[])[],
    filters: readonly SearchTerm[],
  ): Promise<SampledTerm[]> {
    const terms = [
      ...words.map((forms, word) => ({ ...wordTerm(forms), word })),
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

  /**
   * Takes the newest articles with the rarest term, and drops those that lack another term. It
   * first checks the few articles that are likely to be the best, and reads further articles only
   * if too few of these are left.
   *
   * @param wantedCount number of matches that suffices
   */
  async withAll(terms: readonly SampledTerm[], wantedCount: number): Promise<Candidates> {
    const [rarest, ...others] = terms.toSorted(rarestFirst);
    if (!rarest) return { found: [], isComplete: true };
    const first = await this.newestAndProminent(rarest, PROMINENT_READS);
    const known = new Set(first.found.map(keyOf));
    let found = await this.havingAll(others, first.found);
    let { isComplete } = first;
    if (!isComplete) {
      const further = takeNew(await this.withOwnForms(others), known);
      found = [...found, ...(await this.havingAll(terms, further))];
    }
    let last = rarest.sample.newest.at(-1);
    for (const limit of NEWEST_STEPS) {
      if (isComplete || found.length >= wantedCount) break;
      // One more article is read, because the query returns the last article again.
      const newest = await this.newest(rarest, rarest.places.flat(), limit + 1, last);
      last = newest.at(-1);
      const matches = newest.map((each) => matchOf(each, rarest));
      found = [...found, ...(await this.havingAll(others, takeNew(matches, known)))];
      isComplete = newest.length <= limit;
    }
    return { found, isComplete };
  }

  /**
   * Finds articles with most of the words. Such an article has at least one of the rarest words. So
   * the newest articles with one of these words are taken, and articles that lack too many words,
   * or a filter, are dropped.
   *
   * @param complete the matches with all words, which are left out
   */
  async withMost(terms: readonly SampledTerm[], complete: readonly Match[]): Promise<Candidates> {
    const words = terms.filter(isWord);
    const needed = mostOf(words.length);
    const rarest = words.toSorted(rarestFirst).slice(0, words.length - needed + 1);
    const lists = await Promise.all(
      rarest.map((term) => this.newestAndProminent(term, PARTIAL_PROMINENT_READS)),
    );
    const candidates = merged(lists.flatMap(({ found }) => found));
    for (const each of complete) candidates.delete(keyOf(each));
    let found: readonly Match[] = [...candidates.values()]
      .toSorted(mostWordsFirst)
      .slice(0, PARTIAL_CANDIDATES_MAX);
    for (const filter of terms) if (!isWord(filter)) found = await this.having(filter, found);
    const placed = await Promise.all(words.map((term) => this.placesIn(found, term)));
    const matches = found.map(({ candidate }) => ({
      candidate,
      places: placed.map((places) => places.get(candidate._id.toHexString())),
    }));
    return {
      found: matches.filter(({ places }) => places.filter(isPlace).length >= needed),
      isComplete:
        lists.every(({ isComplete }) => isComplete) && candidates.size <= PARTIAL_CANDIDATES_MAX,
    };
  }

  /** @returns the matches, which tell whether the article has one of these linked words apart */
  async withLinks(
    matches: readonly Match[],
    linked: readonly WordForm[],
  ): Promise<readonly Match[]> {
    if (matches.length === 0 || linked.length === 0) return matches;
    const candidates = matches.map(({ candidate }) => candidate);
    const placed = await Promise.all(
      linked.map((form) => this.queries.placesIn(candidates, wordTerm([form]), this.options.reads)),
    );
    return matches.map((match) => ({
      ...match,
      isApart: !placed.every((places) => places.has(keyOf(match))),
    }));
  }

  private async sampleOf(term: SearchTerm): Promise<PlacedSample> {
    const newest = await this.newest(term, term.places.flat(), SAMPLE_SIZE);
    return { newest, isComplete: newest.length < SAMPLE_SIZE };
  }

  /** The newest articles with the term; for a word also the newest that have it in a prominent place. */
  private async newestAndProminent(
    term: SampledTerm,
    prominentReads: typeof PROMINENT_READS,
  ): Promise<Candidates> {
    const { sample, places } = term;
    const newest = sample.newest.map((each) => matchOf(each, term));
    if (sample.isComplete) return { found: await this.having(term, newest), isComplete: true };
    const reads = hasOtherForms(term) ? [...prominentReads, OWN_FORM_READ] : prominentReads;
    const lists = await Promise.all(
      (isWord(term) ? reads : []).map((each) =>
        this.newest(
          term,
          each.places.flatMap((place) => places[place] ?? []),
          each.limit,
        ),
      ),
    );
    // An article may have several forms of the word, in several places. The most important place
    // comes last and replaces the others.
    const prominent = lists.toReversed().flatMap((list) => list.map((each) => matchOf(each, term)));
    const byId = new Map([...newest, ...prominent].map((match) => [keyOf(match), match]));
    return { found: [...byId.values()], isComplete: false };
  }

  /** The newest articles with a word itself, for the words that many articles have in another form. */
  private async withOwnForms(terms: readonly SampledTerm[]): Promise<Match[]> {
    const lists = await Promise.all(
      terms.filter(hasOtherForms).map(async (term) => {
        const ownForms = term.places.slice(0, PLACES.length).flat();
        const newest = await this.newest(term, ownForms, OWN_FORM_READ.limit);
        return newest.map((each) => matchOf(each, term));
      }),
    );
    return [...merged(lists.flat()).values()];
  }

  private async havingAll(
    terms: readonly SampledTerm[],
    matches: readonly Match[],
  ): Promise<readonly Match[]> {
    let found = matches;
    for (const term of terms) found = await this.having(term, found);
    return found;
  }

  /** The matches that have this term as well. */
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
    last?: PlacedCandidate,
  ): Promise<PlacedCandidate[]> {
    const { range, reads } = this.options;
    // Other articles may have been published at the same time as the last one, so the range
    // includes this time.
    const to = last ? new Date(last.live.at.getTime() + 1) : range.to;
    return this.queries.newest(term, values, { ...range, to, limit }, reads);
  }

  private async placesIn(
    matches: readonly Match[],
    term: SampledTerm,
  ): Promise<ReadonlyMap<string, number>> {
    if (matches.length === 0) return new Map();
    const { isComplete, newest } = term.sample;
    // A complete sample has the place of a word in each article. If several stems count, it may lack
    // the best place.
    if (isComplete && !hasSeveralStems(term)) {
      return new Map(newest.map(({ _id, place }) => [_id.toHexString(), place]));
    }
    const candidates = matches.map(({ candidate }) => candidate);
    return this.queries.placesIn(candidates, term, this.options.reads);
  }
}

/** Number of words that count as most of the words: more than half of them; of two words, one. */
function mostOf(words: number): number {
  return words === 2 ? 1 : Math.floor(words / 2) + 1;
}

function rarestFirst(one: SampledTerm, other: SampledTerm): number {
  return one.frequency - other.frequency;
}

function isWord({ word }: SampledTerm): boolean {
  return word !== undefined;
}

/** Whether some of the newest articles with the term have only another form of the word. */
function hasOtherForms({ sample }: SampledTerm): boolean {
  return sample.newest.some(({ place }) => place >= PLACES.length);
}

/** Whether other words count as well: those with the same beginning, or other forms. */
function hasSeveralStems({ places }: SampledTerm): boolean {
  return places.some(({ length }) => length > 1);
}

function isPlace(place: number | undefined): place is number {
  return place !== undefined;
}

function keyOf({ candidate }: Match): string {
  return candidate._id.toHexString();
}

/** Adds the matches to the known ones, and returns those that were not known. */
function takeNew(matches: readonly Match[], known: Set<string>): readonly Match[] {
  const further = matches.filter((match) => !known.has(keyOf(match)));
  for (const match of further) known.add(keyOf(match));
  return further;
}

/** @returns the articles by their ids, each once, with all their known places */
function merged(matches: readonly Match[]): Map<string, Match> {
  const byId = new Map<string, Match>();
  for (const match of matches) {
    const known = byId.get(keyOf(match));
    const places = [...match.places];
    known?.places.forEach((place, word) => {
      if (place !== undefined) places[word] = place;
    });
    byId.set(keyOf(match), { ...match, places });
  }
  return byId;
}

function mostWordsFirst(one: Match, other: Match): number {
  const [mine, others] = [one, other].map(({ places }) => places.filter(isPlace).length);
  const later = other.candidate.live.at.getTime() - one.candidate.live.at.getTime();
  return (others ?? 0) - (mine ?? 0) || later;
}

function matchOf({ place, ...candidate }: PlacedCandidate, term: SampledTerm): Match {
  return placedAt({ candidate, places: [] }, term, place);
}

function placedAt(match: Match, { word }: SampledTerm, place: number): Match {
  if (word === undefined) return match;
  const places = [...match.places];
  places[word] = place;
  return { ...match, places };
}
