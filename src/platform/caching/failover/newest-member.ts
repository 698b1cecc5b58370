import type { ReadAfter } from '../causal-read-barrier.js';

/** A position in the oplog: a time within the term of a primary. */
export interface Position extends ReadAfter {
  readonly term: number;
}

/** What `replSetGetConfig` says, as far as it is needed. */
export interface ReplicaSetConfig {
  readonly version: number;
  readonly term: number;
  readonly members: readonly {
    readonly host: string;
    readonly votes: number;
    readonly arbiterOnly: boolean;
  }[];
}

/** What a member has said of itself, and of the replica set. */
export interface MemberAnswer {
  readonly host: string;
  readonly isPrimary: boolean;
  /** Whether it is the primary or a secondary. One in the state ROLLBACK or RECOVERING refuses reads. */
  readonly isReadable: boolean;
  /** The newest operation of its oplog. */
  readonly position: Position;
  /** The newest operation of which it knows that a majority has it. */
  readonly committed: Position;
  readonly config: ReplicaSetConfig;
}

/**
 * Finds the member that has every acknowledged write. Such a write is on a majority of the voting members.
 * Once so many have answered that no majority is without one of them, one of those that answered has
 * it. So does the one with the newest operation, for the reason for which a primary has it that was
 * elected from these: Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm" (Raft,
 * USENIX ATC 2014), sections 5.4.1 and 5.4.3.
 *
 * As in an election, members that refuse reads count as well: a rollback removes nothing that was acknowledged.
 * While two of three roll back what their old primary has not got acknowledged, the new one is found so.
 *
 * @returns null while too few have answered, and if the newest refuses reads
 */
export function newestMember(answers: readonly MemberAnswer[]): MemberAnswer | null {
  const config = answers.map((answer) => answer.config).reduce(newerConfig, NO_CONFIG);
  const voters = new Set(votersOf(config).map(({ host }) => host));
  const voting = answers.filter(({ host }) => voters.has(host));
  const readable = voting.filter(({ isReadable }) => isReadable);
  const needed = answersNeeded(config);
  // What a member is about to roll back may be newer than all that others have.
  const counted = readable.length >= needed ? readable : voting;
  if (counted.length < needed) return null;
  const newest = counted.reduce((one, other) =>
    isLater(other.position, one.position) ? other : one,
  );
  return newest.isReadable ? newest : null;
}

/**
 * Whether all that was acknowledged is what this primary knows to be committed. A primary acknowledges what
 * it knows so. A new one may not know yet what its predecessor has acknowledged: it does as soon as an
 * operation of its own term is committed, and until then majority reads wait. No later primary has
 * acknowledged anything if the newest member is of its term.
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

/** The number of voting members, of any, without which there is no majority that can acknowledge. */
export function answersNeeded(config: ReplicaSetConfig): number {
  const votes = config.members.filter((member) => member.votes > 0).length;
  const holders = votersOf(config).length;
  // As MongoDB counts it: with arbiters, all that hold data may be needed.
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
