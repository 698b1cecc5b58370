import { platform } from 'node:os';
import { Logger } from '@nestjs/common';
import { Piscina } from 'piscina';
import { UnavailableError } from './http/errors/api.errors.js';

/** An idle thread keeps in memory what its module has loaded. */
const IDLE_TIMEOUT_MS = 60_000;

type PiscinaOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>;
type RunOptions = Parameters<Piscina['run']>[1];

export interface ThreadPoolOptions<Task> extends Omit<PiscinaOptions, 'maxQueue'> {
  /** The module of the tasks, a URL. */
  readonly filename: string;
  readonly maxThreads: number;
  /** As in nice(1), on Linux: the threads give way to the event loop where cores are short. */
  readonly niceness: number;
  /** A task of next to no work: it starts a thread for those that wait. */
  readonly wake: { readonly task: Task; readonly name?: string };
  /** What the client is told whose task was lost with its thread. */
  readonly lostMessage: string;
}

/**
 * Threads that start with the first task and go when they are idle, and tasks in the order in which
 * they come. A thread that dies takes no more than its own task with it. How many may wait is for
 * the owner to say.
 */
export class ThreadPool<Task, Result> extends Piscina<Task, Result> {
  private readonly logger = new Logger(ThreadPool.name);

  private readonly wake: ThreadPoolOptions<Task>['wake'];

  private readonly lostMessage: string;

  /** Threads that have ended, for whatever reason. */
  private ended = 0;

  constructor({ niceness, wake, lostMessage, ...options }: ThreadPoolOptions<Task>) {
    super({
      minThreads: 0,
      maxQueue: Infinity,
      // Or each task that has to wait on goes to the end of the queue again.
      stricterFIFO: true,
      idleTimeout: IDLE_TIMEOUT_MS,
      execArgv: platform() === 'linux' ? ['--import', givingWay(niceness)] : [],
      ...options,
    });
    this.wake = wake;
    this.lostMessage = lostMessage;
    this.on('error', (error: Error) => this.giveUp(error));
    this.on('workerDestroy', () => {
      this.ended += 1;
      // A turn later: whose task it had hears of it first.
      setImmediate(() => void this.resume());
    });
  }

  /** @throws UnavailableError when the thread of the task dies @throws what the task throws */
  override async run(task: Task, options?: RunOptions): Promise<Result> {
    const { ended } = this;
    try {
      return await super.run(task, options);
    } catch (error) {
      // A task that throws leaves its thread alive: a defect, not a matter of trying again.
      if (this.ended === ended) throw error;
      this.logger.error(error);
      throw new UnavailableError(this.lostMessage);
    }
  }

  /** What waits for a thread that ended would wait until the next task starts another one. */
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
   * A thread ended without a task: at its start, and another one would fare no better. What waits
   * is refused. Were nobody to listen for this, it would end the process.
   */
  private giveUp(error: Error): void {
    this.logger.error(error);
    void this.destroy();
  }
}

/**
 * A module that each thread runs first. On Linux a niceness is that of the calling thread; elsewhere it
 * would be that of the process.
 */
function givingWay(niceness: number): string {
  const source =
    "import { getPriority, setPriority } from 'node:os';" +
    `setPriority(Math.max(getPriority(), ${niceness}));`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
