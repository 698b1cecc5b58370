import { platform } from 'node:os';
import { Logger } from '@nestjs/common';
import { Piscina } from 'piscina';
import { UnavailableError } from '../http/errors/api.errors.js';

/** Milliseconds after which an idle thread is ended, to free the memory of its module. */
const IDLE_TIMEOUT_MS = 60_000;

type PiscinaOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>;
type RunOptions = Parameters<Piscina['run']>[1];

export interface ThreadPoolOptions<Task> extends Omit<PiscinaOptions, 'maxQueue'> {
  /** URL of the module with the tasks. */
  readonly filename: string;
  readonly maxThreads: number;
  /**
   * Niceness of the threads on Linux, as in nice(1): lowers their priority below that of the event
   * loop.
   */
  readonly niceness: number;
  /** A task that does nothing, to start a thread for queued tasks. */
  readonly wake: { readonly task: Task; readonly name?: string };
  /** Message of the error for a task whose thread has died. */
  readonly lostMessage: string;
}

/**
 * Returns the URL of a module in the folder of another one: JavaScript in `dist`, TypeScript in tests.
 *
 * @param url URL of the other module
 * @param name file name of the module, without extension
 */
export function siblingModuleUrl(url: string, name: string): string {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url).href;
}

/**
 * A Piscina pool whose threads start with the first task and end when idle. Tasks run in the order of
 * arrival. A thread that dies fails only its own task. The queue has no limit; callers must check
 * `queueSize`.
 */
export class ThreadPool<Task, Result> extends Piscina<Task, Result> {
  private readonly logger = new Logger(ThreadPool.name);

  private readonly wake: ThreadPoolOptions<Task>['wake'];

  protected readonly lostMessage: string;

  /** Number of threads that have ended. */
  private endedCount = 0;

  constructor({ niceness, wake, lostMessage, ...options }: ThreadPoolOptions<Task>) {
    super({
      minThreads: 0,
      maxQueue: Infinity,
      // With this option, a task that cannot run yet stays at its place in the queue.
      stricterFIFO: true,
      idleTimeout: IDLE_TIMEOUT_MS,
      execArgv: platform() === 'linux' ? ['--import', nicenessModuleUrl(niceness)] : [],
      ...options,
    });
    this.wake = wake;
    this.lostMessage = lostMessage;
    this.on('error', (error: Error) => this.rejectAllTasks(error));
    this.on('workerDestroy', () => {
      this.endedCount += 1;
      // The pool resumes one turn later, so that the failed task is rejected first.
      setImmediate(() => void this.resume());
    });
  }

  /**
   * @throws UnavailableError when the thread of the task dies
   * @throws what the task throws
   */
  override async run(task: Task, options?: RunOptions): Promise<Result> {
    const { endedCount } = this;
    try {
      return await super.run(task, options);
    } catch (error) {
      // If no thread has ended, the task itself has thrown, which is a defect.
      if (this.endedCount === endedCount) throw error;
      this.logger.error(error);
      throw new UnavailableError(this.lostMessage);
    }
  }

  /** Starts a thread for queued tasks, which would otherwise wait until the next call of `run`. */
  private async resume(): Promise<void> {
    if (this.queueSize === 0 || this.threads.length > 0) return;
    const { task, name } = this.wake;
    try {
      await super.run(task, { name: name ?? null });
    } catch (error) {
      this.logger.error(error);
    }
  }

  /**
   * Rejects all tasks, queued or running, after a thread has failed to start, because a new thread would fail
   * too. Without a listener, Piscina's `error` event would end the process.
   */
  private rejectAllTasks(error: Error): void {
    this.logger.error(error);
    void this.destroy();
  }
}

/**
 * A module that each thread runs first to set its niceness. On Linux niceness applies to the calling
 * thread, elsewhere to the whole process.
 */
function nicenessModuleUrl(niceness: number): string {
  const source =
    "import { getPriority, setPriority } from 'node:os';" +
    `setPriority(Math.max(getPriority(), ${niceness}));`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
