import { setTimeout as wait } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { JobLock } from '../database/lock/job-lock.js';
import { MigrationService } from '../database/migrations/migration.service.js';

/** Interval in milliseconds at which a process looks for jobs to run. */
const TICK_MS = 1_000;

/** Milliseconds that a shutdown waits for the current runs to end. */
const STOP_MS = 5_000;

/** Milliseconds that a process waits after a failed run of a job, unless the job sets `retryMs`. */
const RETRY_MS = 60_000;

/**
 * Minimum of milliseconds between the starts of two runs of a woken job, so that many transitions at a time
 * share one run. While another process runs the job, this process tries to run it at this interval.
 */
const WOKEN_PAUSE_MS = 250;

/** Recurring work. A provider of the feature that needs the work registers it. */
export interface BackgroundJob {
  /** Name of the job, the key of its record in `background_jobs`. */
  readonly name: string;
  /**
   * Minimum of milliseconds between the starts of two runs, counted over all processes. With 0 the job may
   * run at every tick.
   */
  readonly everyMs: number;
  /**
   * Whether only one process at a time runs the job, under a lock; true when left out. Without a lock every
   * process runs it, and `everyMs` holds for each process. If a process is killed during a run, no process
   * runs an exclusive job until its lock ends, but the others still run a job without a lock. Each step of
   * such a job must be a conditional write that only one process can make.
   */
  readonly isExclusive?: boolean;
  /** Milliseconds that a process waits after a failed run, at least `everyMs`; a minute when left out. */
  readonly retryMs?: number;
  /**
   * Whether there is anything to do now. Every process asks at the interval `everyMs`, so the
   * answer must be cheap.
   */
  isDue(): Promise<boolean>;
  /**
   * Does the work. It must be idempotent: a process may be killed in the middle of a run, and in rare
   * cases two processes run even an exclusive job at the same time (see JobLock).
   *
   * @param signal aborted when the process stops or the lock is lost; the run checks it between steps
   * @returns what was done, for the log; null if nothing was
   */
  run(signal: AbortSignal): Promise<string | null>;
}

/** Counts of a job in this process, since the process started. */
export interface JobCounts {
  readonly runs: number;
  readonly failures: number;
  /** Duration of all runs together, in seconds. */
  readonly seconds: number;
  /** End of the last successful run in milliseconds since 1970; null before a run has succeeded. */
  readonly lastSuccessAt: number | null;
}

interface Scheduled {
  readonly job: BackgroundJob;
  readonly counts: { -readonly [Name in keyof JobCounts]: JobCounts[Name] };
  /** When this process may try the job again, on the clock of `performance.now()`. */
  nextAt: number;
  hasFailed: boolean;
  /** When the latest attempt to run the job started, on the clock of `performance.now()`. */
  startedAt: number;
  /** Whether the job is to run as soon as possible, even before it is due. */
  isWoken: boolean;
  wakeTimer: NodeJS.Timeout | null;
  running: Promise<void> | null;
}

/**
 * Runs each registered job when it is due. An exclusive job runs only if no other process runs it. `isDue` is
 * not called before the migrations have run, because without the indexes its query would scan a whole
 * collection.
 */
@Injectable()
export class BackgroundService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundService.name);
  private readonly scheduled: Scheduled[] = [];
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | null = null;
  private stopped: Promise<void> | null = null;

  constructor(
    private readonly lock: JobLock,
    private readonly migrations: MigrationService,
  ) {}

  /** Registers a job. Call it before the application has started, such as in `onModuleInit`. */
  register(job: BackgroundJob): void {
    this.scheduled.push({
      job,
      counts: { runs: 0, failures: 0, seconds: 0, lastSuccessAt: null },
      nextAt: -Infinity,
      startedAt: -Infinity,
      hasFailed: false,
      isWoken: false,
      wakeTimer: null,
      running: null,
    });
  }

  /** Counts of the jobs, by their names. */
  get counts(): ReadonlyMap<string, JobCounts> {
    return new Map(this.scheduled.map(({ job, counts }) => [job.name, counts]));
  }

  /**
   * Runs a job in this process before its interval is over, or once more if it is running. The run starts at
   * once, but not within WOKEN_PAUSE_MS after the start of the previous one. While another process runs the
   * job, this process keeps trying until it can run the job, or until `isDue` returns false.
   */
  wake(name: string): void {
    const scheduled = this.scheduled.find(({ job }) => job.name === name);
    if (!scheduled || !this.timer) return;
    scheduled.isWoken = true;
    this.startWoken(scheduled);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  /**
   * Starts no further run, and waits for the current runs to end, for five seconds at most. This method is
   * called while connections are drained, and again when the application closes. Both calls share the five
   * seconds.
   */
  beforeApplicationShutdown(): Promise<void> {
    this.stopped ??= this.stop();
    return this.stopped;
  }

  private async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.stopping.abort();
    const ended = Promise.all(this.scheduled.map(async ({ running }) => running));
    await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })]);
  }

  private tick(): void {
    const now = performance.now();
    for (const scheduled of this.scheduled) {
      if (scheduled.running || now < scheduled.nextAt) continue;
      this.start(scheduled);
    }
  }

  private start(scheduled: Scheduled): void {
    scheduled.startedAt = performance.now();
    scheduled.nextAt = scheduled.startedAt + scheduled.job.everyMs;
    scheduled.running = this.attempt(scheduled).finally(() => {
      scheduled.running = null;
      if (scheduled.isWoken) this.startWoken(scheduled);
    });
  }

  private startWoken(scheduled: Scheduled): void {
    if (scheduled.running || scheduled.wakeTimer || this.stopping.signal.aborted) return;
    const pauseMs = scheduled.startedAt + WOKEN_PAUSE_MS - performance.now();
    if (pauseMs <= 0) return this.start(scheduled);
    scheduled.wakeTimer = setTimeout(() => {
      scheduled.wakeTimer = null;
      // The tick may have started the job meanwhile.
      if (scheduled.isWoken) this.startWoken(scheduled);
    }, pauseMs).unref();
  }

  /** Runs a job if it is due. The promise never rejects. */
  private async attempt(scheduled: Scheduled): Promise<void> {
    const { job, isWoken } = scheduled;
    scheduled.isWoken = false;
    try {
      const isMigrated = (await this.migrations.pending()).length === 0;
      if (isMigrated && (await job.isDue()) && !this.stopping.signal.aborted) {
        const hasRun = await (job.isExclusive === false
          ? this.run(scheduled, this.stopping.signal)
          : this.runClaimed(scheduled, isWoken));
        if (isWoken && !hasRun) scheduled.isWoken = true;
      }
      scheduled.hasFailed = false;
    } catch (error) {
      scheduled.counts.failures += 1;
      scheduled.nextAt = performance.now() + Math.max(job.retryMs ?? RETRY_MS, job.everyMs);
      if (this.stopping.signal.aborted || scheduled.hasFailed) return;
      // An outage is logged once, not at every attempt.
      scheduled.hasFailed = true;
      this.logger.warn(`${job.name} failed and is tried again later: ${String(error)}`);
    }
  }

  /** @returns false when another process runs the job, or the job is not due yet */
  private async runClaimed(scheduled: Scheduled, isWoken: boolean): Promise<boolean> {
    const { job } = scheduled;
    const claimed = await this.lock.claim(job.name, job.everyMs, isWoken);
    if (!claimed) return false;
    // `everyMs` counts from the claim, as in the job's record. If this process tried again a moment earlier,
    // the claim would be refused, and the job would wait for another `everyMs`.
    scheduled.nextAt = performance.now() + job.everyMs;
    return this.lock.hold(claimed, (held) =>
      this.run(scheduled, AbortSignal.any([this.stopping.signal, held.signal])),
    );
  }

  private async run({ job, counts }: Scheduled, signal: AbortSignal): Promise<true> {
    const startedAt = performance.now();
    counts.runs += 1;
    const done = await job.run(signal).finally(() => {
      counts.seconds += (performance.now() - startedAt) / 1_000;
    });
    counts.lastSuccessAt = Date.now();
    if (done !== null) this.logger.log(`${job.name}: ${done}`);
    return true;
  }
}
