import type { ReadAfter } from '../causal-read-barrier.js';

/** A position in the oplog: a time within the term of a primary. */
export interface Position extends ReadAfter {
  readonly term: number;
}

/** The part of `replSetGetConfig` that is used here. */
export interface ReplicaSetConfig {
  readonly version: number;
  readonly term: number;
  readonly members: readonly {
    readonly host: string;
    readonly votes: number;
    readonly arbiterOnly: boolean;
  }[];
}

/** What a member has reported about itself and the replica set. */
export interface MemberAnswer {
  readonly host: string;
  readonly isPrimary: boolean;
  /**
   * Whether the member is primary or secondary. A member in the state ROLLBACK or RECOVERING
   * refuses reads.
   */
  readonly isReadable: boolean;
  /** The newest operation of the member's oplog. */
  readonly position: Position;
  /** The newest operation that the member knows to be on a majority. */
  readonly committed: Position;
  readonly config: ReplicaSetConfig;
}

/**
 * Finds the member that has every acknowledged write. An acknowledged write is on a majority of the voting
 * members. If the members that have not answered are too few for a majority, at least one member that has
 * answered has the write. Of the members that have answered, the one with the newest operation then has the
 * write too. A newly elected primary has it for the same reason: Ongaro and Ousterhout, "In Search of an
 * Understandable Consensus Algorithm" (Raft, USENIX ATC 2014), sections 5.4.1 and 5.4.3.
 *
 * As in an election, members that refuse reads count as well, because a rollback removes nothing
 * that was acknowledged. So the new primary is found even while two of three members roll back
 * unacknowledged writes of the old primary.
 *
 * @returns null if too few members have answered, or if the newest member refuses reads
 */
export function newestMember(answers: readonly MemberAnswer[]): MemberAnswer | null {
  const config = answers.map((answer) => answer.config).reduce(newerConfig, NO_CONFIG);
  const voters = new Set(votersOf(config).map(({ host }) => host));
  const voterAnswers = answers.filter(({ host }) => voters.has(host));
  const readableAnswers = voterAnswers.filter(({ isReadable }) => isReadable);
  const needed = answersNeeded(config);
  // A member that refuses reads may be about to roll back operations that are newer than all operations of
  // the other members. So members that refuse reads count only if the other members are too few.
  const countedAnswers = readableAnswers.length >= needed ? readableAnswers : voterAnswers;
  if (countedAnswers.length < needed) return null;
  const newest = countedAnswers.reduce((one, other) =>
    isLater(other.position, one.position) ? other : one,
  );
  return newest.isReadable ? newest : null;
}

/**
 * Whether this primary knows that every acknowledged write is committed. A primary acknowledges a write only
 * when it knows that the write is committed. A new primary may not know yet that the acknowledged writes of
 * its predecessor are committed. It knows this as soon as an operation of its own term is committed; until
 * then majority reads wait. If the newest member has no operation of a later term, no later primary has
 * acknowledged a write.
 */
export function knowsAllCommitted(
  { position, committed }: MemberAnswer,
  newest: MemberAnswer,
): boolean {
  return committed.term === position.term && position.term === newest.position.term;
}

const NO_CONFIG: ReplicaSetConfig = { version: 0, term: 0, members: [] };

/** Returns the members that vote and hold data: those whose copies count for `w: 'majority'`. */
export function votersOf({ members }: ReplicaSetConfig): ReplicaSetConfig['members'] {
  return members.filter(({ votes, arbiterOnly }) => votes > 0 && !arbiterOnly);
}

/**
 * Returns the number of members that must answer, of those that vote and hold data. The others are then too
 * few to acknowledge a write, whichever they are.
 */
export function answersNeeded(config: ReplicaSetConfig): number {
  const votingCount = config.members.filter((member) => member.votes > 0).length;
  const dataBearingCount = votersOf(config).length;
  // MongoDB computes the majority for a write the same way. With arbiters, this majority may be all members that
  // hold data.
  const writeMajority = Math.min(Math.floor(votingCount / 2) + 1, dataBearingCount);
  return Math.max(dataBearingCount - writeMajority + 1, 1);
}

function isLater(one: Position, other: Position): boolean {
  return one.term > other.term || (one.term === other.term && one.time.greaterThan(other.time));
}

function newerConfig(one: ReplicaSetConfig, other: ReplicaSetConfig): ReplicaSetConfig {
  const isNewer = other.term > one.term || (other.term === one.term && other.version > one.version);
  return isNewer ? other : one;
}
