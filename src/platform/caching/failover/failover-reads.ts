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
 * Milliseconds that a read waits for the member that the driver has chosen, before a probe finds out
 * whether to ask the newest member as well.
 */
const SECOND_TRY_MS = 150;

/** `maxTimeMS` of a read from the newest member. */
const READ_MS = 700;

/**
 * Milliseconds after the start of a probe in which a result of its newest member may arrive. A later result is
 * dropped, because it may lack writes that were acknowledged after the probe.
 */
const RESULT_MS = 800;

/**
 * Milliseconds in which a failed read is tried again. The newest member may fail as well, or may change its
 * state during the read, for example become primary.
 */
const RETRY_MS = 600;

/** Pause before a further try, in milliseconds. */
const RETRY_PAUSE_MS = 50;

type Work<Result> = (options: PublicReadOptions) => Promise<Result>;

/**
 * Public reads, with or without a primary (docs/adr/0015). A read goes to the member that the
 * driver chooses. If the read fails, or takes longer than 150 ms because the primary has failed, it also goes
 * to the newest member, which has every acknowledged write. While the latest probe shows no primary, a read goes
 * to the newest member only.
 *
 * The newest member is read with read concern `local`. A read with `majority` would wait for the end of the
 * election, because until then no secondary knows which of its newest writes a majority has.
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

  /** When a read from the newest member last succeeded, in monotonic milliseconds. */
  get lastAnswerAt(): number {
    return this.answeredAt;
  }

  /**
   * @param work the read; it may run twice at the same time
   * @param knowsOthersWrites returns whether this process knows of all writes of other processes, except
   *   those of the last second
   * @throws TooFewMembersError
   * @throws what `work` throws
   */
  async read<Result>(work: Work<Result>, knowsOthersWrites: () => boolean): Promise<Result> {
    await this.members.find();
    if (this.members.hosts.length < 2) return this.barrier.readAnywhere(work);
    const { recent } = this.probes;
    if (recent?.primary === null) return this.readNewest(work, recent);
    if (knowsOthersWrites()) return this.withSecondTry(work, null);
    // This process may be cut off from a primary that other members have elected, so a probe comes first.
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
    const driverRead = this.barrier.readAnywhere(work, after);
    const slow = Promise.withResolvers<'slow'>();
    const timer = setTimeout(slow.resolve, SECOND_TRY_MS, 'slow');
    const outcome = await Promise.race([outcomeOf(driverRead), slow.promise]);
    clearTimeout(timer);
    if (outcome === 'final') return driverRead;
    const probe = await this.probes.probe();
    const isOnlySlow =
      outcome === 'slow' && probe.primary !== null && probe.primary.host === primary;
    if (!isOnlySlow) return firstAnswer([driverRead, this.readNewest(work, probe)]);
    if ((await outcomeOf(driverRead)) === 'final') return driverRead;
    // The primary has failed after the probe.
    return this.readNewest(work, await this.probes.probe({ isLatestWrong: true }));
  }

  private async readNewest<Result>(work: Work<Result>, probe: Probe): Promise<Result> {
    const beganAt = this.clock.monotonic();
    for (let current = probe; ; current = await this.probes.probe({ isLatestWrong: true })) {
      const answer = await this.tryNewest(work, current);
      if (answer) return answer.result;
      if (this.clock.monotonic() - beganAt > RETRY_MS) throw new TooFewMembersError();
      await wait(RETRY_PAUSE_MS);
    }
  }

  /**
   * Reads from the newest member.
   *
   * @returns null if too few members have answered the probe, or if the newest member has failed or taken
   *   too long
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

/** @returns `failed` for an error after which another member may succeed; `final` for all other outcomes */
async function outcomeOf(read: Promise<unknown>): Promise<'final' | 'failed'> {
  try {
    await read;
    return 'final';
  } catch (error) {
    const mayAnotherSucceed = isDatabaseUnavailable(error) || error instanceof TooFewMembersError;
    return mayAnotherSucceed ? 'failed' : 'final';
  }
}

/**
 * Returns the result, or throws the error, of the read whose outcome is the first to be `final`. If no outcome
 * is final, it throws the error of the last read.
 */
async function firstAnswer<Result>(reads: readonly Promise<Result>[]): Promise<Result> {
  const answers = reads.map(async (read) => {
    if ((await outcomeOf(read)) === 'failed') throw new Error('another member may answer');
    return { read };
  });
  const [answer] = await Promise.allSettled([Promise.any(answers)]);
  return answer.status === 'fulfilled' ? answer.value.read : (reads.at(-1) as Promise<Result>);
}
