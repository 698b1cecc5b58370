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

/** What a member has told about itself and the replica set. */
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
 * Finds the member that has every acknowledged write. Such a write is on a majority of the voting
 * members. If the members that have not answered are too few for a majority, at least one of those
 * that have answered has the write. The one with the newest operation then has it too, for the same
 * reason as a newly elected primary: Ongaro and Ousterhout, "In Search of an Understandable
 * Consensus Algorithm" (Raft, USENIX ATC 2014), sections 5.4.1 and 5.4.3.
 *
 * As in an election, members that refuse reads count as well, because a rollback removes nothing
 * that was acknowledged. So the new primary is found even while two of three members roll back
 * unacknowledged writes of the old one.
 *
 * @returns null while too few have answered, and if the newest refuses reads
 */
export function newestMember(answers: readonly MemberAnswer[]): MemberAnswer | null {
  const config = answers.map((answer) => answer.config).reduce(newerConfig, NO_CONFIG);
  const voters = new Set(votersOf(config).map(({ host }) => host));
  const voting = answers.filter(({ host }) => voters.has(host));
  const readable = voting.filter(({ isReadable }) => isReadable);
  const needed = answersNeeded(config);
  // The operations that a member is about to roll back may be newer than all that other members
  // have.
  const counted = readable.length >= needed ? readable : voting;
  if (counted.length < needed) return null;
  const newest = counted.reduce((one, other) =>
    isLater(other.position, one.position) ? other : one,
  );
  return newest.isReadable ? newest : null;
}

/**
 * Whether this primary knows every acknowledged write to be committed. A primary acknowledges only
 * what it knows to be committed. A new primary may not know yet what its predecessor has
 * acknowledged: it does as soon as an operation of its own term is committed, and until then
 * majority reads wait. No later primary has acknowledged anything if the newest member is of its
 * term.
 */
export function knowsAllCommitted(
  { position, committed }: MemberAnswer,
  newest: MemberAnswer,
): boolean {
  return committed.term === position.term && position.term === newest.position.term;
}

const NO_CONFIG: ReplicaSetConfig = { version: 0, term: 0, members: [] };

/** The members that vote and hold data: those that count towards `w: 'majority'`. */
export function votersOf({ members }: ReplicaSetConfig): ReplicaSetConfig['members'] {
  return members.filter(({ votes, arbiterOnly }) => votes > 0 && !arbiterOnly);
}

/**
 * Number of voting members that must answer, whichever they are, so that the others form no
 * majority.
 */
export function answersNeeded(config: ReplicaSetConfig): number {
  const votes = config.members.filter((member) => member.votes > 0).length;
  const holders = votersOf(config).length;
  // MongoDB counts the same way: with arbiters, all members that hold data may be needed.
  const acknowledging = Math.min(Math.floor(votes / 2) + 1, holders);
  return Math.max(holders - acknowledging + 1, 1);
}

function isLater(one: Position, other: Position): boolean {
  return one.term > other.term || (one.term === other.term && one.time.greaterThan(other.time));
}

function newerConfig(one: ReplicaSetConfig, other: ReplicaSetConfig): ReplicaSetConfig {
  const isNewer = other.term > one.term || (other.term === one.term && other.version > one.version);
  return isNewer ? other : one;
}
