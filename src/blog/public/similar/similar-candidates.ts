import type { Types } from 'mongoose';

/** Largest number of index keys that one search reads, for all terms together. */
const KEYS_MAX = 490;

/**
 * Largest number of candidates that are fetched and scored. Fetching a blog costs MongoDB far more
 * than reading an index key, and the best six of 64 candidates are nearly as good as the best six
 * of all.
 */
const FETCHED_MAX = 64;

/** A tag or a word that similar blogs may share. */
export interface SimilarTerm {
  /** The points that the term adds to the score of a blog. */
  readonly weight: number;
}

/** The newest blogs that have one of the terms. */
export interface CandidateList {
  /** The position of the term in the list of terms. */
  readonly _id: number;
  /** Ids of the blogs, newest first. */
  readonly ids: readonly Types.ObjectId[];
  /** Times of publication of these blogs (`live.at`), in the same order. */
  readonly times: readonly Date[];
}

interface Candidate {
  readonly id: Types.ObjectId;
  /** When the blog was published, in milliseconds since 1970. */
  readonly at: number;
  /** An estimate of the score, from index keys alone. */
  estimate: number;
}

/**
 * Number of keys that are read for each term. The shares are equal, so that a common tag leaves
 * room for a rare one.
 */
export function keysPerTerm(terms: readonly SimilarTerm[]): number {
  return Math.floor(KEYS_MAX / Math.max(1, terms.length));
}

/**
 * Chooses at most 64 candidates to fetch.
 *
 * If there are more than 64, the terms take turns. In its turn a term takes one blog from its own
 * list: the one with the highest estimate that is not chosen yet, and the newest of equal ones.
 *
 * The estimate of a blog is the weight of the terms in whose lists it is, less the weight of the
 * terms that it lacks. A blog lacks a term if the term's list does not hold it although the list
 * goes back to before the blog was published. It is not known whether older blogs lack the term. A
 * wrong guess only affects which blogs are fetched: the score counts what the fetched blogs really
 * share.
 *
 * @param lists one for each term that has candidates, with at most `keysPerTerm` ids
 * @param self the blog itself, which is never chosen
 */
export function chooseCandidates(
  terms: readonly SimilarTerm[],
  lists: readonly CandidateList[],
  self: Types.ObjectId,
): Types.ObjectId[] {
  const byId = new Map<string, Candidate>();
  // MongoDB returns the lists in any order. Sorting them makes the choice the same every time.
  const found = lists
    .toSorted((a, b) => a._id - b._id)
    .map(({ _id, ids, times }) => {
      const candidates = ids.flatMap((id, n) => {
        if (id.equals(self)) return [];
        const hex = id.toHexString();
        const candidate = byId.get(hex) ?? { id, at: Number(times[n]), estimate: 0 };
        byId.set(hex, candidate);
        return [candidate];
      });
      const weight = terms[_id]?.weight ?? 0;
      // A list that is not full holds every blog with its term, so it covers all times.
      const oldest = ids.length < keysPerTerm(terms) ? undefined : candidates.at(-1);
      return { candidates, weight, since: oldest?.at ?? 0 };
    });
  const all = [...byId.values()];
  if (all.length <= FETCHED_MAX) return all.map(({ id }) => id);
  for (const { candidates, weight, since } of found) {
    for (const candidate of all) if (candidate.at >= since) candidate.estimate -= weight;
    // The weight is added twice, because the loop above has subtracted it from these candidates as
    // well.
    for (const candidate of candidates) candidate.estimate += 2 * weight;
  }
  const bestFirst = found.map(({ candidates }) =>
    candidates.toSorted((a, b) => b.estimate - a.estimate),
  );
  const chosen = new Set<Candidate>();
  while (chosen.size < FETCHED_MAX) {
    for (const candidates of bestFirst) {
      const next = candidates.find((candidate) => !chosen.has(candidate));
      if (next) chosen.add(next);
    }
  }
  // The last round may have chosen more than needed.
  return [...chosen].slice(0, FETCHED_MAX).map(({ id }) => id);
}
