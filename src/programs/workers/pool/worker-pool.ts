import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { SharedPort } from '../messages.js';
import { restartDelay } from './restart-delay.js';
import { WorkerProcess } from './worker-process.js';
import { WorkerStartError } from './worker-start.error.js';

export interface WorkerPoolOptions {
  /** How many run at a time. */
  readonly size: number;
  /** Path of the module that they run. */
  readonly program: string;
  /** Settings of theirs that differ from those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Where they shall listen. Asked whenever none of them does, because somebody else may then have
   * come to use the port.
   *
   * @param previous what was answered before
   */
  readonly findPort: (previous: SharedPort | null) => Promise<SharedPort>;
  /** Told once, when it has started and cannot go on. */
  readonly onFailure: (error: Error) => void;
  /** How long one that is to stop may take to finish what it has; default 30 s. */
  readonly stopDeadlineMs?: number | undefined;
  /** One that ended sooner counts as failing again and again; default 10 s. */
  readonly stableAfterMs?: number | undefined;
  /** How long to wait before one is replaced; default `restartDelay`. */
  readonly delay?: typeof restartDelay | undefined;
}

/** Longer than a request may take to arrive. */
const STOP_DEADLINE_MS = 30_000;
const STABLE_AFTER_MS = 10_000;

/** So many in a row, and none that serves: it will not get better. */
const MOST_FAILED_STARTS = 5;

/** Keeps a number of worker processes running that share a port. */
export class WorkerPool {
  private readonly logger = new Logger(WorkerPool.name);
  private readonly workers = new Set<WorkerProcess>();
  private slots: readonly Promise<void>[] = [];
  private readonly stopping = new AbortController();
  private readonly started = Promise.withResolvers<string>();
  private hasStarted = false;
  private port: SharedPort | null = null;
  /** Ends when the last of those whose turn it is to listen does so. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Starts the workers.
   *
   * @returns the address, once all of them take requests
   * @throws WorkerStartError when one ends before that, or what `findPort` throws
   */
  start(): Promise<string> {
    this.slots = Array.from({ length: this.options.size }, () =>
      this.keepOneRunning().catch((error: unknown) => this.fail(error as Error)),
    );
    return this.started.promise;
  }

  /** Ends all of them; none is replaced any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const deadline = this.options.stopDeadlineMs ?? STOP_DEADLINE_MS;
    await Promise.all([...this.workers].map((worker) => worker.stop(deadline)));
    await Promise.all(this.slots);
  }

  private async keepOneRunning(): Promise<void> {
    let quickEnds = 0;
    while (!this.stopping.signal.aborted) {
      const startedAt = performance.now();
      const worker = WorkerProcess.start(this.options.program, this.options.env);
      this.workers.add(worker);
      const hasListened = await this.bringUp(worker);
      const end = await worker.ended;
      this.workers.delete(worker);
      if (this.stopping.signal.aborted) return;
      const isStable =
        performance.now() - startedAt > (this.options.stableAfterMs ?? STABLE_AFTER_MS);
      quickEnds = hasListened && isStable ? 0 : quickEnds + 1;
      if (!hasListened && this.isHopeless(quickEnds)) {
        throw new WorkerStartError('a worker process ended before it took requests', end);
      }
      const delay = (this.options.delay ?? restartDelay)(quickEnds);
      this.logger.error(`worker ${worker.pid} ended (${end}); another starts in ${delay} ms`);
      await wait(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /**
   * Lets a worker listen as soon as it can, one at a time, so that exactly the first of them finds
   * the port unused.
   *
   * @returns whether it came to take requests
   */
  private async bringUp(worker: WorkerProcess): Promise<boolean> {
    if (!(await worker.initialised)) return false;
    const turn = this.turn.then(() => this.letListen(worker));
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  private async letListen(worker: WorkerProcess): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    if (this.port === null || this.countListening() === 0) {
      this.port = await this.options.findPort(this.port);
    }
    worker.listen(this.port);
    const url = await worker.listening;
    if (url === null) return false;
    if (this.countListening() === this.options.size) {
      this.hasStarted = true;
      this.started.resolve(url);
    }
    return true;
  }

  private countListening(): number {
    return [...this.workers].filter(({ isListening }) => isListening).length;
  }

  /** A start in which anything fails has failed. Later, those that serve are worth more. */
  private isHopeless(quickEnds: number): boolean {
    if (!this.hasStarted) return true;
    return quickEnds >= MOST_FAILED_STARTS && this.countListening() === 0;
  }

  private fail(error: Error): void {
    if (this.stopping.signal.aborted) return;
    this.stopping.abort();
    if (this.hasStarted) this.options.onFailure(error);
    else this.started.reject(error);
  }
}
