import { ResponsePacer } from './response-pacer.js';

/** Frees the slot for the next caller. Call it exactly once. */
export type Release = () => void;

export interface BulkheadOptions {
  /** Slots: how many callers may run at the same time. */
  readonly maxConcurrent: number;
  /** How many callers may wait for a slot. Further ones are rejected at once. */
  readonly maxQueued: number;
  /** How long a caller waits for a slot before it is rejected. */
  readonly maxWaitMs: number;
}

/** Limits the concurrency of one kind of expensive work, and the length and wait of its queue. */
export class Bulkhead {
  private active = 0;
  /** Resolvers of the waiting callers, in order of arrival. */
  private readonly queued = new Set<() => void>();
  private readonly rejections = new ResponsePacer();
  private rejected = 0;

  /** @param rejection makes the error for a caller that gets no slot */
  constructor(
    private readonly options: BulkheadOptions,
    private readonly rejection: () => Error,
  ) {}

  /** How many callers wait for a slot. */
  get queueLength(): number {
    return this.queued.size;
  }

  /** How many callers got no slot, since the start. */
  get rejectedCount(): number {
    return this.rejected;
  }

  /**
   * Waits for a slot.
   *
   * @returns a function that frees the slot; call it once, also when the work fails
   * @throws the rejection when the queue is full, or when no slot was free within `maxWaitMs`
   */
  async acquire(): Promise<Release> {
    if (this.active < this.options.maxConcurrent) {
      this.active += 1;
      return this.release;
    }
    const isGranted = this.queued.size < this.options.maxQueued && (await this.waitForSlot());
    if (isGranted) return this.release;
    this.rejected += 1;
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

  /** @returns false when the wait took too long */
  private waitForSlot(): Promise<boolean> {
    return new Promise((resolve) => {
      const grant = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.queued.delete(grant);
        resolve(false);
      }, this.options.maxWaitMs);
      this.queued.add(grant);
    });
  }

  /** Passes the slot to the first waiting caller, so that a later one cannot overtake the queue. */
  private readonly release = (): void => {
    for (const grant of this.queued) {
      this.queued.delete(grant);
      grant();
      return;
    }
    this.active -= 1;
  };
}
