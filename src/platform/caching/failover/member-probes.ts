import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock.js';
import { CausalReadBarrier, type ReadAfter } from '../causal-read-barrier.js';
import { MemberConnections } from './member-connections.js';
import { knowsAllCommitted, newestMember, type MemberAnswer } from './newest-member.js';
import { ReplicaSetMembers } from './replica-set-members.js';

/** The result of asking all members of the replica set for their state. */
export interface Probe {
  /** Start of the probe, in monotonic milliseconds. */
  readonly startedAt: number;
  /**
   * The member that has every write acknowledged before the probe; null if too few members have answered, or
   * if this member refuses reads.
   */
  readonly newest: MemberAnswer | null;
  /**
   * The primary, with the newest operation that it knows to be committed. Null if no primary has answered, or
   * if a majority read from it would have to wait.
   */
  readonly primary: { readonly host: string; readonly committed: ReadAfter } | null;
}

/** Milliseconds that a probe waits for enough answers. */
const ANSWERS_MS = 700;

/**
 * Milliseconds that a probe with enough answers waits for the other members, because one of them may be the
 * primary.
 */
const OTHER_ANSWERS_MS = 50;

/** Milliseconds after the start of a probe in which further reads may use it. */
const REUSE_MS = 400;

/** Asks the members for their state. Reads that begin at the same time share a probe. */
@Injectable()
export class MemberProbes {
  private latest: Probe | null = null;
  private underWay: { readonly startedAt: number; readonly result: Promise<Probe> } | null = null;

  constructor(
    private readonly members: ReplicaSetMembers,
    private readonly connections: MemberConnections,
    private readonly barrier: CausalReadBarrier,
    private readonly clock: Clock,
  ) {}

  /** The latest probe, if a read that begins now may use it; else null. */
  get recent(): Probe | null {
    const { latest } = this;
    if (!latest || this.clock.monotonic() - latest.startedAt > REUSE_MS) return null;
    return this.isAfterLastWrite(latest) ? latest : null;
  }

  /** @param isLatestWrong whether the latest probe must not be used, because a read has proved it wrong */
  async probe({ isLatestWrong = false } = {}): Promise<Probe> {
    if (isLatestWrong) this.latest = null;
    const { recent, underWay } = this;
    if (recent) return recent;
    if (underWay && this.isAfterLastWrite(underWay)) return underWay.result;
    const startedAt = this.clock.monotonic();
    const started = { startedAt, result: this.ask(startedAt) };
    this.underWay = started;
    try {
      return (this.latest = await started.result);
    } finally {
      if (this.underWay === started) this.underWay = null;
    }
  }

  /**
   * Whether the probe began after the last write of this process had ended. Only then is it
   * certain that the newest member of the probe has this write.
   */
  private isAfterLastWrite({ startedAt }: { readonly startedAt: number }): boolean {
    return startedAt > this.barrier.lastWriteAt;
  }

  private async ask(startedAt: number): Promise<Probe> {
    const answers: MemberAnswer[] = [];
    const enough = Promise.withResolvers<null>();
    const asked = this.members.hosts.map(async (host) => {
      const answer = await this.connections.ask(host).catch((error: unknown) => {
        if (this.clock.monotonic() - startedAt > ANSWERS_MS) throw error;
        // The member is asked once more, because it closes its connections when it begins to roll back.
        return this.connections.ask(host);
      });
      if (answer) answers.push(answer);
      if (newestMember(answers)) enough.resolve(null);
    });
    const all = Promise.allSettled(asked);
    await Promise.race([enough.promise, all, wait(ANSWERS_MS, null, { ref: false })]);
    await Promise.race([all, wait(OTHER_ANSWERS_MS, null, { ref: false })]);
    const newest = newestMember(answers);
    if (newest) this.members.adopt(newest.config);
    // Two members may call themselves primary for a moment: the one of the lower term has not heard
    // of its successor yet.
    const [primary] = answers
      .filter(({ isPrimary }) => isPrimary)
      .toSorted((one, other) => other.position.term - one.position.term);
    if (!newest || !primary || !knowsAllCommitted(primary, newest)) {
      return { startedAt, newest, primary: null };
    }
    const { host, committed } = primary;
    return { startedAt, newest, primary: { host, committed } };
  }
}
