import type { Candidate } from '../term-queries.js';

/** An article with all words of a search, or with most of them. */
export interface Match {
  readonly candidate: Candidate;
  /**
   * The place of each word of the search (see `SearchTerm.places`), or undefined for a word that the
   * article lacks.
   */
  readonly places: readonly (number | undefined)[];
  /** Whether the article has the words of `Node.js` without linking them. */
  readonly isApart?: boolean;
}

/** The weight of a word in the title, in the tags, in the description and in the text. */
const PLACE_WEIGHTS = [8, 5, 3, 1] as const;

/**
 * What the weight of a word is divided by if the article has another form of it, such as `C` for
 * `C++`. So the word in the text still counts more than another form in the title.
 */
const OTHER_FORM_DIVISOR = 16;

/**
 * Share by which newness can raise a score. An article of today gets all of this bonus, a very old
 * article almost nothing.
 */
const NEW_BONUS = 0.5;

/**
 * What the score of an article is divided by if it has only another form of a word, or linked words
 * apart: more than the bonus of newness. So an older article with the words themselves, in the same places, comes first.
 */
const INEXACT_DIVISOR = 1.6;

/** The age in milliseconds at which half of the bonus is left. */
const HALF_LIFE_MS = 365 * 24 * 3_600_000;

/** The newest articles that have a term, and whether they are all the articles that have it. */
export interface Sample {
  readonly newest: readonly Candidate[];
  readonly isComplete: boolean;
}

/**
 * Estimates how many articles have each term. The number is exact for a term with a complete
 * sample. Other numbers are estimated from how far back the samples go: the sample of a rarer term
 * goes back further.
 */
export function frequencies(samples: readonly Sample[], now: number): number[] {
  const spans = samples.map(({ newest }) => now - (newest.at(-1)?.live.at.getTime() ?? now));
  const longest = Math.max(1, ...spans);
  return samples.map(({ newest, isComplete }, index) =>
    isComplete ? newest.length : (newest.length * longest) / Math.max(1, spans[index] ?? 1),
  );
}

/**
 * The weight of each word by its rarity: the fewer articles have a word, the higher is its weight.
 */
export function rarityWeights(frequenciesOfWords: readonly number[]): number[] {
  const most = Math.max(1, ...frequenciesOfWords);
  return frequenciesOfWords.map((frequency) => Math.log(1 + most / Math.max(1, frequency)));
}

/**
 * Sorts matches, the best first: by where their words stand, how rare the words are, and how new
 * the article is.
 *
 * @param weights weights of the words (see `rarityWeights`)
 */
export function ranked(
  matches: readonly Match[],
  weights: readonly number[],
  now: number,
): Match[] {
  const scored = matches.map((match) => ({ match, score: scoreOf(match, weights, now) }));
  return scored
    .toSorted((one, other) => other.score - one.score || newerFirst(one.match, other.match))
    .map(({ match }) => match);
}

function scoreOf(
  { candidate, places, isApart = false }: Match,
  weights: readonly number[],
  now: number,
): number {
  const scoreOfWords = places.reduce<number>(
    (sum, place, word) =>
      place === undefined ? sum : sum + weightOf(place) * (weights[word] ?? 0),
    0,
  );
  const isExact =
    !isApart && places.every((place) => place === undefined || place < PLACE_WEIGHTS.length);
  const age = Math.max(0, now - candidate.live.at.getTime());
  const bonus = 1 + NEW_BONUS / (1 + age / HALF_LIFE_MS);
  return (scoreOfWords * bonus) / (isExact ? 1 : INEXACT_DIVISOR);
}

function weightOf(place: number): number {
  const weight = PLACE_WEIGHTS[place % PLACE_WEIGHTS.length] ?? 0;
  return place < PLACE_WEIGHTS.length ? weight : weight / OTHER_FORM_DIVISOR;
}

function newerFirst({ candidate: one }: Match, { candidate: other }: Match): number {
  const later = other.live.at.getTime() - one.live.at.getTime();
  return later || other._id.toHexString().localeCompare(one._id.toHexString());
}
