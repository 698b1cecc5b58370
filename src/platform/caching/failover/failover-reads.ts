import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../clock.js';
import { UnavailableError } from '../../http/errors/api.errors.js';
import { isDatabaseUnavailable } from '../../http/errors/is-database-unavailable.js';
import {
  CausalReadBarrier,
  type PublicReadOptions,
  type ReadAfter,
} from '../causal-read-barrier.js';
import { MemberConnections } from './member-connections.js';
import { MemberProbes, type Probe } from './member-probes.js';
import { ReplicaSetMembers } from './replica-set-members.js';

/**
 * Milliseconds that a read waits for the member that the driver has chosen before another one is
 * asked as well.
 */
const SECOND_TRY_MS = 150;

/** `maxTimeMS` of a read from the newest member, in milliseconds. */
const READ_MS = 700;

/**
 * Milliseconds after the start of its probe in which a result may be used: it shows the state at
 * the probe.
 */
const RESULT_MS = 800;

/**
 * Milliseconds for which one read is tried again, because the newest member may fail as well, or
 * become primary or secondary at this moment; and the pause between two tries.
 */
const TRIED_MS = 600;
const PAUSE_MS = 50;

type Work<Result> = (options: PublicReadOptions) => Promise<Result>;

/**
 * Public reads that go on while there is no primary (docs/adr/0015). A read goes to the member that
 * the driver chooses, and after 150 ms, if the primary has failed, also to the member that has
 * every acknowledged write. There it does not ask for what a majority has, because it would wait
 * for the election: until then no secondary knows which of its newest writes a majority has.
 */
@Injectable()
export class FailoverReads {
  private answeredAt = -Infinity;

  constructor(
    private readonly members: ReplicaSetMembers,
    private readonly connections: MemberConnections,
    private readonly probes: MemberProbes,
    private readonly barrier: CausalReadBarrier,
    private readonly clock: Clock,
  ) {}

  /** When a read was last answered by one member alone, in monotonic milliseconds. */
  get lastAnswerAt(): number {
    return this.answeredAt;
  }

  /**
   * @param work may run twice at a time
   * @param knowsOthersWrites whether this process has been told of all writes but those of the last second
   * @throws TooFewMembersError @throws what the work throws
   */
  async read<Result>(work: Work<Result>, knowsOthersWrites: () => boolean): Promise<Result> {
    await this.members.find();
    if (this.members.hosts.length < 2) return this.barrier.readAnywhere(work);
    const { recent } = this.probes;
    if (recent?.primary === null) return this.readNewest(work, recent);
    if (knowsOthersWrites()) return this.withSecondTry(work, null);
    // Other members may have elected a primary from which this process is cut off.
    const probe = recent ?? (await this.probes.probe());
    return probe.primary === null
      ? this.readNewest(work, probe)
      : this.withSecondTry(work, probe.primary.committed);
  }

  private async withSecondTry<Result>(
    work: Work<Result>,
    after: ReadAfter | null,
  ): Promise<Result> {
    const { primary } = this.members;
    const first = this.barrier.readAnywhere(work, after);
    const slow = Promise.withResolvers<'slow'>();
    const timer = setTimeout(slow.resolve, SECOND_TRY_MS, 'slow');
    const outcome = await Promise.race([outcomeOf(first), slow.promise]);
    clearTimeout(timer);
    if (outcome === 'final') return first;
    const now = await this.probes.probe();
    const isOnlySlow = outcome === 'slow' && now.primary !== null && now.primary.host === primary;
    if (!isOnlySlow) return firstAnswer([first, this.readNewest(work, now)]);
    if ((await outcomeOf(first)) === 'final') return first;
    // The primary has failed meanwhile.
    return this.readNewest(work, await this.probes.probe({ isFresh: true }));
  }

  private async readNewest<Result>(work: Work<Result>, probe: Probe): Promise<Result> {
    const beganAt = this.clock.monotonic();
    for (let current = probe; ; current = await this.probes.probe({ isFresh: true })) {
      const answer = await this.tryNewest(work, current);
      if (answer) return answer.result;
      if (this.clock.monotonic() - beganAt > TRIED_MS) throw new TooFewMembersError();
      await wait(PAUSE_MS);
    }
  }

  /**
   * Reads from the newest member.
   *
   * @returns null if the member has failed, or has taken too long
   */
  private async tryNewest<Result>(
    work: Work<Result>,
    { newest, startedAt }: Probe,
  ): Promise<{ readonly result: Result } | null> {
    if (newest === null) return null;
    try {
      const member = this.connections.connectionTo(newest.host);
      const result = await this.barrier.readFrom(member, work, newest.position, READ_MS);
      const now = this.clock.monotonic();
      if (now - startedAt > RESULT_MS) return null;
      this.answeredAt = now;
      return { result };
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return null;
    }
  }
}

/** 503: no answering member is known to have every acknowledged write. */
class TooFewMembersError extends UnavailableError {
  constructor() {
    super('too few members of the database can be reached: try again in a moment', 'unavailable');
  }
}

/** `final` for a result, and for an error that another member would give as well. */
async function outcomeOf(read: Promise<unknown>): Promise<'final' | 'failed'> {
  try {
    await read;
    return 'final';
  } catch (error) {
    const mayOtherAnswer = isDatabaseUnavailable(error) || error instanceof TooFewMembersError;
    return mayOtherAnswer ? 'failed' : 'final';
  }
}

/** The first result, or the first error that another member would give as well. */
async function firstAnswer<Result>(reads: readonly Promise<Result>[]): Promise<Result> {
  const answers = reads.map(async (read) => {
    if ((await outcomeOf(read)) === 'failed') throw new Error('another member may answer');
    return { read };
  });
  // If all reads have failed, the last one tells why.
  const [answer] = await Promise.allSettled([Promise.any(answers)]);
  return answer.status === 'fulfilled' ? answer.value.read : (reads.at(-1) as Promise<Result>);
}
