import { ResponsePacer } from './response-pacer.js';
import { BoundedQueue, type Leave, type BoundedQueueOptions } from './bounded-queue.js';

/** Bounds how much of one kind of work runs at a time, how much of it waits, and for how long. */
export class Bulkhead {
  private readonly line: BoundedQueue;
  private readonly refusals = new ResponsePacer();

  /** @param refusal makes the error for whoever finds no room, or waits in vain */
  constructor(
    options: BoundedQueueOptions,
    private readonly refusal: () => Error,
  ) {
    this.line = new BoundedQueue(options);
  }

  /**
   * Waits for a turn.
   *
   * @returns what ends it; to be called once, whatever has become of the work
   * @throws the refusal, when too many wait or when the wait takes too long
   */
  async enter(): Promise<Leave> {
    const leave = await this.line.enter();
    if (leave !== null) return leave;
    await this.refusals.turn();
    throw this.refusal();
  }

  /** Does the work when it is its turn. @throws the refusal @throws what the work throws */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
