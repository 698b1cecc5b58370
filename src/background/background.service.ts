import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { JobLease, LEASE_MS, type ClaimedRun } from './job-lease.js';

/** How often the jobs are looked at. */
const TICK_MS = 1_000;

/** A lease is renewed well before it ends. */
const RENEW_MS = LEASE_MS / 3;

/** So long a shutdown waits for what is running. */
const STOP_MS = 5_000;

/** After a failure a job waits for so long, so that an outage does not fill the log. */
const RETRY_MS = 60_000;

/** Work that some process has to do again and again; registered by the module of its feature. */
export interface BackgroundJob {
  /** The key of its record in `background_jobs`. */
  readonly name: string;
  /** The least time between the beginnings of two runs, over all processes; milliseconds. */
  readonly everyMs: number;
  /** Whether there is anything to do now; asked in each process, so it has to be cheap. */
  isDue(): Promise<boolean>;
  /**
   * Does it, in one process at a time (but see JobLease), and may be killed at any point: so it is
   * idempotent.
   *
   * @param signal aborted when the process stops or the lease is lost: to be asked between steps
   * @returns what was done, for the log; null for nothing
   */
  run(signal: AbortSignal): Promise<string | null>;
}

interface Scheduled {
  readonly job: BackgroundJob;
  /** `performance.now()` */
  nextAt: number;
  hasFailed: boolean;
  running: Promise<void> | null;
}

/** Runs the background jobs of this process, each when it is due and no other process runs it. */
@Injectable()
export class BackgroundService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundService.name);
  private readonly scheduled: Scheduled[] = [];
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly lease: JobLease) {}

  /** To be called before the application has started, such as in `onModuleInit`. */
  register(job: BackgroundJob): void {
    this.scheduled.push({ job, nextAt: -Infinity, hasFailed: false, running: null });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /** Begins no further run, and waits for those under way, but not for ever. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.stopping.abort();
    const ended = Promise.all(this.scheduled.map(async ({ running }) => running));
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_MS);
    });
    await Promise.race([ended, deadline]).finally(() => clearTimeout(timer));
  }

  private tick(): void {
    const now = performance.now();
    for (const scheduled of this.scheduled) {
      if (scheduled.running || now < scheduled.nextAt) continue;
      scheduled.nextAt = now + scheduled.job.everyMs;
      scheduled.running = this.attempt(scheduled).finally(() => (scheduled.running = null));
    }
  }

  /** Never rejects. */
  private async attempt(scheduled: Scheduled): Promise<void> {
    const { job } = scheduled;
    try {
      if (await job.isDue()) await this.runClaimed(job);
      scheduled.hasFailed = false;
    } catch (error) {
      scheduled.nextAt = performance.now() + Math.max(RETRY_MS, job.everyMs);
      if (this.stopping.signal.aborted || scheduled.hasFailed) return;
      // Once per outage.
      scheduled.hasFailed = true;
      this.logger.warn(`${job.name} failed and is tried again later: ${String(error)}`);
    }
  }

  private async runClaimed(job: BackgroundJob): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const claimed = await this.lease.claim(job.name, job.everyMs);
    if (!claimed) return;
    const lost = new AbortController();
    const renewal = setInterval(() => void this.renew(claimed, lost), RENEW_MS).unref();
    try {
      const done = await job.run(AbortSignal.any([this.stopping.signal, lost.signal]));
      if (done !== null) this.logger.log(`${job.name}: ${done}`);
    } finally {
      clearInterval(renewal);
      await this.lease.release(claimed);
    }
  }

  /** A lease that could not be renewed counts as lost. */
  private async renew(claimed: ClaimedRun, lost: AbortController): Promise<void> {
    const isHeld = await this.lease.renew(claimed).catch(() => false);
    if (!isHeld) lost.abort();
  }
}
