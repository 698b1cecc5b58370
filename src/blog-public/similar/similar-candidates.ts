import type { Types } from 'mongoose';

/** Index keys looked at for one answer, over all terms. */
const KEYS_MAX = 490;

/**
 * Candidates that are fetched and scored by all they share: to fetch one costs the database far more
 * than to look at a key, and the best six of these come near the best six of all.
 */
const FETCHED_MAX = 64;

export interface SimilarTerm {
  /** What sharing it adds to the score. */
  readonly weight: number;
}

/** The candidates that one term has brought. */
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
 * Chooses the candidates that are worth fetching. All of them, up to 64. Of more, the terms take
 * turns, and each takes the most promising of its own that is not chosen yet, or else the newest.
 * The promise is what a candidate is known to share, less what it is known not to share: it is
 * missing in a list that goes back far enough to hold it. How far a list goes back is judged from
 * the times in the ids, since most blogs are published in the order in which they are created; the
 * score, of those that are fetched, rests on none of this.
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
  // The database answers with them in any order, and the choice must be the same each time.
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
    // Once for being there, and once because it has just been taken off.
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
  // The last round may have brought a few too many.
  return [...chosen].slice(0, FETCHED_MAX).map(({ id }) => id);
}

function* unchosen(
  list: readonly Candidate[],
  chosen: ReadonlySet<Candidate>,
): Generator<Candidate, void> {
  for (const candidate of list) if (!chosen.has(candidate)) yield candidate;
}
