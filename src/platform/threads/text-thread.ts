import { UnavailableError } from '../http/errors/api.errors.js';
import { FairQueue } from '../overload/bulkhead/fair-queue.js';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.js';

/**
 * Number of characters of one owner that may wait or be worked on. For the slowest texts they are about 2.5 s of
 * work, and the deadline of a request is 5 s (src/platform/http/connection/deadline.ts). A task may be longer if
 * its owner has no other one.
 */
const MAX_UNFINISHED = 2_000_000;

/** Number of characters of all owners together that may wait or be worked on; bounds the memory. */
const MAX_UNFINISHED_OF_ALL = 8_000_000;

/**
 * Memory limits of the thread. The worst texts that a request can carry take 100 MB of the old
 * generation.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24 };

/**
 * Niceness of the thread. Its priority is lower than that of reads and password hashes, because this work
 * takes the longest.
 */
const NICENESS = 10;

interface TextThreadOptions<Task> extends Pick<
  ThreadPoolOptions<Task>,
  'filename' | 'name' | 'wake' | 'lostMessage'
> {
  /** Message of the error when too many characters wait. */
  readonly busyMessage: string;
  /** The longest time of a task from its turn on, and the error of a longer one, which ends the thread. */
  readonly limit?: { readonly timeMaxMs: number; readonly error: () => Error };
}

/** The owner of tasks that no account has sent. */
export const NO_ACCOUNT = '';

/** A task that waits for its turn. */
interface Waiting {
  readonly length: number;
  readonly start: () => void;
  readonly refuse: (error: UnavailableError) => void;
}

/**
 * A thread for work on long texts, which starts with the first task. One task is under way at a time, and the owners
 * of waiting tasks have turns: a task waits for one task of each other owner at most, however many these have.
 */
export class TextThread<Task, Result> extends ThreadPool<Task, Result> {
  private readonly busyMessage: string;
  private readonly limit: TextThreadOptions<Task>['limit'];
  private readonly waiting = new FairQueue<Waiting>();

  /** Number of characters of the tasks that have not ended yet, by owner. */
  private readonly unfinished = new Map<string, number>();
  private isBusy = false;
  private lastOwner = NO_ACCOUNT;

  constructor({ busyMessage, limit, ...options }: TextThreadOptions<Task>) {
    super({
      ...options,
      // There is one thread only: the event loop, the database and password hashes need the other
      // cores.
      maxThreads: 1,
      resourceLimits: RESOURCE_LIMITS,
      niceness: NICENESS,
    });
    this.busyMessage = busyMessage;
    this.limit = limit;
  }

  /**
   * @param length length of the task's texts, in characters
   * @param owner whose turn the task takes: the id of an account; NO_ACCOUNT for readers and jobs
   * @throws UnavailableError when too many characters wait for the thread, or when the thread dies
   * @throws the error of `limit`
   */
  async runText(task: Task, length: number, owner: string): Promise<Result> {
    const own = this.unfinished.get(owner) ?? 0;
    const isTooMuch = own > 0 && own + length > MAX_UNFINISHED;
    if (isTooMuch || !this.makePlace(length, owner)) throw new UnavailableError(this.busyMessage);
    this.unfinished.set(owner, own + length);
    try {
      if (this.isBusy) await this.turnOf(length, owner);
      this.isBusy = true;
      this.lastOwner = owner;
      return await this.runLimited(task).finally(() => this.giveTurn());
    } finally {
      const left = (this.unfinished.get(owner) ?? 0) - length;
      if (left > 0) this.unfinished.set(owner, left);
      else this.unfinished.delete(owner);
    }
  }

  private async runLimited(task: Task): Promise<Result> {
    if (!this.limit) return this.run(task);
    const signal = AbortSignal.timeout(this.limit.timeMaxMs);
    try {
      return await this.run(task, { signal });
    } catch (error) {
      throw signal.aborted ? this.limit.error() : error;
    }
  }

  override async destroy(): Promise<void> {
    for (let next = this.waiting.next(); next; next = this.waiting.next()) {
      next.refuse(new UnavailableError(this.lostMessage));
    }
    await super.destroy();
  }

  /** @throws UnavailableError when the task loses its place to a task of an owner with fewer of them */
  private turnOf(length: number, owner: string): Promise<void> {
    return new Promise((start, refuse) => {
      this.waiting.add(owner, { length, start, refuse });
    });
  }

  /** Passes the turn to the next owner: to the last one again only if no other waits. */
  private giveTurn(): void {
    const next = this.waiting.next((owner) => owner !== this.lastOwner) ?? this.waiting.next();
    // While a turn is passed, `isBusy` stays true, so that no new task overtakes the queue.
    if (next) next.start();
    else this.isBusy = false;
  }

  /**
   * Makes place for a task by dropping tasks of the owner with the most of them.
   *
   * @returns false when no owner has more waiting tasks than this one would have
   */
  private makePlace(length: number, owner: string): boolean {
    let total = [...this.unfinished.values()].reduce((sum, each) => sum + each, 0);
    while (total > 0 && total + length > MAX_UNFINISHED_OF_ALL) {
      const dropped = this.waiting.dropForFairness(owner);
      if (!dropped) return false;
      dropped.refuse(new UnavailableError(this.busyMessage));
      total -= dropped.length;
    }
    return true;
  }
}
