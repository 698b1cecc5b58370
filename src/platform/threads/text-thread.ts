import { UnavailableError } from '../http/errors/api.errors.js';
import { ThreadPool, type ThreadPoolOptions } from './thread-pool.js';

/**
 * Number of characters that may wait or be worked on. For the slowest texts they are about 2.5 s of work, and
 * the deadline of a request is 5 s (src/platform/http/connection/deadline.ts). A task may be longer if the
 * thread has no other one.
 */
const MAX_UNFINISHED = 2_000_000;

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
}

/** A thread for work on long texts. It starts with the first task. */
export class TextThread<Task, Result> extends ThreadPool<Task, Result> {
  private readonly busyMessage: string;

  /** Number of characters of the tasks that have not ended yet. */
  private unfinished = 0;

  constructor({ busyMessage, ...options }: TextThreadOptions<Task>) {
    super({
      ...options,
      // There is one thread only: the event loop, the database and password hashes need the other
      // cores.
      maxThreads: 1,
      resourceLimits: RESOURCE_LIMITS,
      niceness: NICENESS,
    });
    this.busyMessage = busyMessage;
  }

  /**
   * @param length length of the task's texts, in characters
   * @throws UnavailableError when too many characters wait for the thread, or when the thread dies
   */
  async runText(task: Task, length: number): Promise<Result> {
    if (this.unfinished > 0 && this.unfinished + length > MAX_UNFINISHED) {
      throw new UnavailableError(this.busyMessage);
    }
    this.unfinished += length;
    try {
      return await this.run(task);
    } finally {
      this.unfinished -= length;
    }
  }
}
