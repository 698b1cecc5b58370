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
   * Finds the port to listen on. It is called whenever no worker listens, because another program
   * may have taken the port.
   *
   * @param previous the last result; null at the first call
   */
  readonly findPort: (previous: SharedPort | null) => Promise<SharedPort>;
  /**
   * Called with the process id of a worker that has ended, unless `stop` ended it; `retired` means that
   * another worker has replaced it.
   */
  readonly onEnd?: ((pid: number, how: 'failed' | 'retired') => void) | undefined;
  /** Called once if the pool fails after `start` has resolved. */
  readonly onFailure: (error: Error) => void;
  /** Milliseconds that a stopping worker may take to finish its requests; default 30 s. */
  readonly stopDeadlineMs?: number | undefined;
  /**
   * Milliseconds after which a running worker counts as stable; default 10 s. A worker that ends
   * earlier increases the restart delay.
   */
  readonly stableAfterMs?: number | undefined;
  /** Delay in milliseconds before a worker is replaced; default `restartDelay`. */
  readonly delay?: typeof restartDelay | undefined;
}

/** Default of `stopDeadlineMs`: longer than a request may take to arrive and to be handled. */
export const STOP_DEADLINE_MS = 30_000;
/** Default of `stableAfterMs`. */
const STABLE_AFTER_MS = 10_000;

/** When this many workers in a row ended soon after their start, and none listens, a failed start ends the pool. */
const QUICK_ENDS_MAX = 5;

/** A worker, from its start to its end. */
interface Run {
  readonly worker: WorkerProcess;
  readonly startedAt: number;
  /** Whether the worker has listened; resolves when it listens, or cannot. */
  readonly hasListened: Promise<boolean>;
}

/** Keeps a number of worker processes running, which share a port. */
export class WorkerPool {
  private readonly logger = new Logger(WorkerPool.name);
  private readonly workers = new Set<WorkerProcess>();
  /** The calls of `keepOneRunning`, one for each worker. */
  private keepers: readonly Promise<void>[] = [];
  /** The successor of each worker that is being replaced, from the start of the successor. */
  private readonly successors = new Map<WorkerProcess, Run>();
  private restarting: Promise<unknown> = Promise.resolve();
  /** The restart that was requested and has not begun yet. */
  private nextRestart: Promise<boolean> | null = null;
  private readonly stopping = new AbortController();
  private readonly started = Promise.withResolvers<string>();
  private hasStarted = false;
  private port: SharedPort | null = null;
  /** Resolves when the last worker of the queue listens or has ended. */
  private listenQueue: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Starts the workers.
   *
   * @returns the URL, once all of them accept requests
   * @throws WorkerStartError when a worker ends before that
   * @throws what `findPort` throws
   */
  start(): Promise<string> {
    this.keepers = Array.from({ length: this.options.size }, () =>
      this.keepOneRunning().catch((error: unknown) => this.fail(error as Error)),
    );
    return this.started.promise;
  }

  /**
   * Stops all workers and replaces none.
   *
   * @param hurry tells the workers to end their stop delay
   */
  async stop(hurry?: AbortSignal): Promise<void> {
    this.stopping.abort();
    hurry?.addEventListener('abort', () => this.workers.forEach((worker) => worker.terminate()));
    await Promise.all([...this.workers].map((worker) => worker.stop(this.stopDeadlineMs)));
    await Promise.all(this.keepers);
  }

  /** The workers that accept requests. */
  get listening(): readonly WorkerProcess[] {
    return [...this.workers].filter(({ isListening }) => isListening);
  }

  /**
   * Replaces each worker by a new process, one after another. A worker ends when its successor
   * accepts requests and its own requests are answered. If a worker cannot be replaced, the remaining
   * workers are not replaced either. A restart that is requested during a restart begins after it.
   *
   * @returns whether all workers were replaced
   */
  restart(): Promise<boolean> {
    this.nextRestart ??= this.restarting.then(() => {
      this.nextRestart = null;
      const restarting = this.replaceAll();
      this.restarting = restarting;
      return restarting;
    });
    return this.nextRestart;
  }

  private async replaceAll(): Promise<boolean> {
    if (!this.hasStarted) return false;
    for (const worker of this.listening) {
      if (this.stopping.signal.aborted) return false;
      // The worker may have ended since the restart began.
      const problem = worker.isListening ? await this.replace(worker) : null;
      if (problem === null) continue;
      this.logger.error(`worker ${worker.pid} goes on: ${problem}`);
      return false;
    }
    return true;
  }

  /** @returns why the worker was not replaced; null when it was */
  private async replace(worker: WorkerProcess): Promise<string | null> {
    const run = this.startRun(worker);
    const { worker: successor } = run;
    this.successors.set(worker, run);
    if (await run.hasListened.catch(() => false)) {
      if (worker.isListening) await worker.retire(this.stopDeadlineMs, successor);
      this.logger.log(`worker ${successor.pid} has replaced worker ${worker.pid}`);
      return null;
    }
    // If the worker has ended meanwhile, `keepOneRunning` already waits for the end of the successor,
    // and then starts another worker.
    if (worker.isListening) this.successors.delete(worker);
    await successor.stop(this.stopDeadlineMs);
    this.workers.delete(successor);
    return successor.notReady ?? `another one ended before it took requests`;
  }

  /**
   * Starts a worker.
   *
   * @param predecessor the worker whose socket the new worker takes over, if the new worker is ready
   */
  private startRun(predecessor?: WorkerProcess): Run {
    const worker = WorkerProcess.start(this.options.program, this.options.env);
    this.workers.add(worker);
    const hasListened = this.queueListening(worker, predecessor);
    return { worker, startedAt: performance.now(), hasListened };
  }

  private async keepOneRunning(): Promise<void> {
    let quickEnds = 0;
    for (let run = this.startRun(); ;) {
      const { worker, startedAt } = run;
      const hasListened = await run.hasListened;
      const end = await worker.ended;
      this.workers.delete(worker);
      if (this.stopping.signal.aborted) return;
      const successor = this.successors.get(worker);
      this.successors.delete(worker);
      this.options.onEnd?.(worker.pid, worker.isRetiring ? 'retired' : 'failed');
      if (successor) {
        run = successor;
        continue;
      }
      const isStable =
        performance.now() - startedAt > (this.options.stableAfterMs ?? STABLE_AFTER_MS);
      quickEnds = hasListened && isStable ? 0 : quickEnds + 1;
      if (!hasListened && this.isFailedStartFinal(quickEnds)) {
        throw new WorkerStartError('a worker process ended before it took requests', end);
      }
      const delay = (this.options.delay ?? restartDelay)(quickEnds);
      this.logger.error(`worker ${worker.pid} ended (${end}); another starts in ${delay} ms`);
      await wait(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      run = this.startRun();
    }
  }

  /**
   * Lets a worker listen, one worker at a time, so that only the first one has to find a free port.
   *
   * @returns whether the worker has listened
   */
  private async queueListening(
    worker: WorkerProcess,
    predecessor?: WorkerProcess,
  ): Promise<boolean> {
    if (!(await worker.initialised)) return false;
    // At the start of the server, a worker listens even if it is not ready, so that the operator can
    // query the reason.
    if (predecessor && worker.notReady !== undefined) return false;
    const turn = this.listenQueue.then(() => this.startListening(worker, predecessor));
    this.listenQueue = turn.catch(() => undefined);
    return turn;
  }

  private async startListening(
    worker: WorkerProcess,
    predecessor?: WorkerProcess,
  ): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    // Without `reusePort`, node:cluster keeps the listening socket in this process.
    const socket = this.port?.reusePort ? await predecessor?.socket() : null;
    if (this.port === null || this.listening.length === 0) {
      this.port = await this.options.findPort(this.port);
    }
    worker.listen(this.port, socket);
    const url = await worker.listening;
    if (url === null) return false;
    if (this.listening.length === this.options.size) {
      this.hasStarted = true;
      this.started.resolve(url);
    }
    return true;
  }

  private get stopDeadlineMs(): number {
    return this.options.stopDeadlineMs ?? STOP_DEADLINE_MS;
  }

  /**
   * Whether a failed start makes the pool fail. Until all workers have listened, any failed start
   * does. Later, it does when several workers in a row have ended soon, and no worker listens.
   */
  private isFailedStartFinal(quickEnds: number): boolean {
    if (!this.hasStarted) return true;
    return quickEnds >= QUICK_ENDS_MAX && this.listening.length === 0;
  }

  private fail(error: Error): void {
    if (this.stopping.signal.aborted) return;
    this.stopping.abort();
    if (this.hasStarted) this.options.onFailure(error);
    else this.started.reject(error);
  }
}
