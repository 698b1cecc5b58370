import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { SharedPort } from '../messages.js';
import { restartDelay } from './restart-delay.js';
import { WorkerProcess } from './worker-process.js';
import { WorkerStartError } from './worker-start.error.js';

export interface WorkerPoolOptions {
  /** Number of workers. */
  readonly size: number;
  /** Path of the module of a worker. */
  readonly program: string;
  /** Environment variables that differ from those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Finds the port to listen on. Called whenever no worker listens, because another program may have
   * taken the port.
   *
   * @param previous the last result; null at the first call
   */
  readonly findPort: (previous: SharedPort | null) => Promise<SharedPort>;
  /** Called with the process id of each worker that has ended and is replaced. */
  readonly onEnd?: ((pid: number) => void) | undefined;
  /** Called once if the pool fails after `start` has resolved. */
  readonly onFailure: (error: Error) => void;
  /** How long a stopping worker may take to finish its requests; default 30 s. */
  readonly stopDeadlineMs?: number | undefined;
  /** A worker that ends within this time of its start increases the restart delay; default 10 s. */
  readonly stableAfterMs?: number | undefined;
  /** Delay before a worker is replaced; default `restartDelay`. */
  readonly delay?: typeof restartDelay | undefined;
}

/** Longer than a request may take to arrive and to be handled. */
const STOP_DEADLINE_MS = 30_000;
const STABLE_AFTER_MS = 10_000;

/** The pool fails after this many failed starts in a row while no worker listens. */
const MOST_FAILED_STARTS = 5;

/** Keeps a number of worker processes running, which share a port. */
export class WorkerPool {
  private readonly logger = new Logger(WorkerPool.name);
  private readonly workers = new Set<WorkerProcess>();
  private slots: readonly Promise<void>[] = [];
  private readonly stopping = new AbortController();
  private readonly started = Promise.withResolvers<string>();
  private hasStarted = false;
  private port: SharedPort | null = null;
  /** The end of the queue: resolves when the last queued worker listens or has ended. */
  private listenQueue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Starts the workers.
   *
   * @returns the URL, once all of them accept requests
   * @throws WorkerStartError when one ends before that @throws what `findPort` throws
   */
  start(): Promise<string> {
    this.slots = Array.from({ length: this.options.size }, () =>
      this.keepOneRunning().catch((error: unknown) => this.fail(error as Error)),
    );
    return this.started.promise;
  }

  /** Stops all workers and replaces none. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const deadline = this.options.stopDeadlineMs ?? STOP_DEADLINE_MS;
    await Promise.all([...this.workers].map((worker) => worker.stop(deadline)));
    await Promise.all(this.slots);
  }

  /** The workers that accept requests. */
  get listening(): readonly WorkerProcess[] {
    return [...this.workers].filter(({ isListening }) => isListening);
  }

  private async keepOneRunning(): Promise<void> {
    let quickEnds = 0;
    while (!this.stopping.signal.aborted) {
      const startedAt = performance.now();
      const worker = WorkerProcess.start(this.options.program, this.options.env);
      this.workers.add(worker);
      const hasListened = await this.queueListening(worker);
      const end = await worker.ended;
      this.workers.delete(worker);
      if (this.stopping.signal.aborted) return;
      this.options.onEnd?.(worker.pid);
      const isStable =
        performance.now() - startedAt > (this.options.stableAfterMs ?? STABLE_AFTER_MS);
      quickEnds = hasListened && isStable ? 0 : quickEnds + 1;
      if (!hasListened && this.isFailedStartFinal(quickEnds)) {
        throw new WorkerStartError('a worker process ended before it took requests', end);
      }
      const delay = (this.options.delay ?? restartDelay)(quickEnds);
      this.logger.error(`worker ${worker.pid} ended (${end}); another starts in ${delay} ms`);
      await wait(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /**
   * Lets workers listen one at a time, so that only the first one has to find a free port.
   *
   * @returns whether the worker has listened
   */
  private async queueListening(worker: WorkerProcess): Promise<boolean> {
    if (!(await worker.initialised)) return false;
    const listening = this.listenQueue.then(() => this.startListening(worker));
    this.listenQueue = listening.catch(() => undefined);
    return listening;
  }

  private async startListening(worker: WorkerProcess): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    if (this.port === null || this.listening.length === 0) {
      this.port = await this.options.findPort(this.port);
    }
    worker.listen(this.port);
    const url = await worker.listening;
    if (url === null) return false;
    if (this.listening.length === this.options.size) {
      this.hasStarted = true;
      this.started.resolve(url);
    }
    return true;
  }

  /** Until all workers have listened, any failed start is final. Later, only several in a row are. */
  private isFailedStartFinal(quickEnds: number): boolean {
    if (!this.hasStarted) return true;
    return quickEnds >= MOST_FAILED_STARTS && this.listening.length === 0;
  }

  private fail(error: Error): void {
    if (this.stopping.signal.aborted) return;
    this.stopping.abort();
    if (this.hasStarted) this.options.onFailure(error);
    else this.started.reject(error);
  }
}
