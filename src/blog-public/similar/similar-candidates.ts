import type { Types } from 'mongoose';

/** Index keys that one search reads at most, over all terms. */
const KEYS_MAX = 490;

/**
 * Candidates that are fetched and scored. To fetch one costs the database far more than to read a key,
 * and the best six of these are nearly as good as the best six of all.
 */
const FETCHED_MAX = 64;

export interface SimilarTerm {
  /** What sharing it adds to the score. */
  readonly weight: number;
}

/** The blogs that have one of the terms. */
export interface CandidateList {
  /** The term's number. */
  readonly _id: number;
  /** Newest first. */
  readonly ids: readonly Types.ObjectId[];
}

interface Candidate {
  readonly id: Types.ObjectId;
  /** When the blog was created, in ms. */
  readonly created: number;
  promise: number;
}

/** Every term has an equal share, so that a common tag cannot crowd out a rare one. */
export function keysPerTerm(terms: readonly SimilarTerm[]): number {
  return Math.floor(KEYS_MAX / Math.max(1, terms.length));
}

/**
 * Chooses the candidates that are worth fetching: all of them, up to 64.
 *
 * Of more than 64, the terms take turns. Each takes, of its own candidates that are not chosen yet, the
 * one with the highest promise, or the newest of several. The promise adds the weight of every term that
 * the candidate is known to have, and subtracts that of every term that it is known to lack: it is not
 * in the term's list, although the list goes back to before its creation. Ids hold the time of creation.
 * Most blogs are published in the order of their creation, so this is a good guess, and it decides only
 * what is fetched: the score counts what the fetched blogs really share.
 *
 * @param lists of the terms that have candidates, each with `keysPerTerm` at most
 * @param self the blog itself, which is never chosen
 */
export function chooseCandidates(
  terms: readonly SimilarTerm[],
  lists: readonly CandidateList[],
  self: Types.ObjectId,
): Types.ObjectId[] {
  const byId = new Map<string, Candidate>();
  // MongoDB returns the lists in any order. The choice must not depend on it.
  const inOrder = lists.toSorted((a, b) => a._id - b._id);
  const found = inOrder.map(({ _id, ids }) => {
    const others = ids.filter((id) => !id.equals(self));
    const candidates = others.map((id) => candidateOf(id, byId));
    const weight = terms[_id]?.weight ?? 0;
    const oldest = ids.length < keysPerTerm(terms) ? undefined : candidates.at(-1);
    return { candidates, weight, reach: oldest?.created ?? 0 };
  });
  const all = [...byId.values()];
  if (all.length <= FETCHED_MAX) return all.map(({ id }) => id);
  for (const { candidates, weight, reach } of found) {
    for (const candidate of all) if (candidate.created >= reach) candidate.promise -= weight;
    // Twice: the loop before has subtracted the weight from these as well.
    for (const candidate of candidates) candidate.promise += 2 * weight;
  }
  return takeTurns(
    found.map(({ candidates }) => candidates.toSorted((a, b) => b.promise - a.promise)),
  );
}

function candidateOf(id: Types.ObjectId, byId: Map<string, Candidate>): Candidate {
  const hex = id.toHexString();
  const known = byId.get(hex);
  if (known) return known;
  const candidate = { id, created: id.getTimestamp().getTime(), promise: 0 };
  byId.set(hex, candidate);
  return candidate;
}

/** @param lists the best first; of more than enough candidates in all */
function takeTurns(lists: readonly (readonly Candidate[])[]): Types.ObjectId[] {
  const chosen = new Set<Candidate>();
  const turns = lists.map((list) => unchosen(list, chosen));
  while (chosen.size < FETCHED_MAX) {
    for (const turn of turns) {
      const next = turn.next();
      if (!next.done) chosen.add(next.value);
    }
  }
  // The last round may have chosen more than needed.
  return [...chosen].slice(0, FETCHED_MAX).map(({ id }) => id);
}

function* unchosen(
  list: readonly Candidate[],
  chosen: ReadonlySet<Candidate>,
): Generator<Candidate, void> {
  for (const candidate of list) if (!chosen.has(candidate)) yield candidate;
}
