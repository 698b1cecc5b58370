import { ResponsePacer } from './response-pacer.js';
import { BoundedQueue, type BoundedQueueOptions, type Release } from './bounded-queue.js';

/** Limits the concurrency of one kind of expensive work, and the length and wait of its queue. */
export class Bulkhead {
  private readonly queue: BoundedQueue;
  private readonly rejections = new ResponsePacer();

  /** @param rejection makes the error for a caller that gets no slot */
  constructor(
    options: BoundedQueueOptions,
    private readonly rejection: () => Error,
  ) {
    this.queue = new BoundedQueue(options);
  }

  /**
   * Waits for a slot.
   *
   * @returns a function that frees the slot; call it once, also when the work fails
   * @throws the rejection when the queue is full or the wait takes too long
   */
  async acquire(): Promise<Release> {
    const release = await this.queue.acquire();
    if (release !== null) return release;
    await this.rejections.waitTurn();
    throw this.rejection();
  }

  /** Does the work once a slot is free. @throws the rejection @throws what the work throws */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
