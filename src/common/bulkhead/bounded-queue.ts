/** Frees the slot for the next caller. Call it exactly once. */
export type Release = () => void;

export interface BoundedQueueOptions {
  /** Slots: how many callers may run at the same time. */
  readonly maxConcurrent: number;
  /** How many callers may wait for a slot. Further ones are rejected at once. */
  readonly maxQueued: number;
  /** How long a caller waits for a slot before it is rejected. */
  readonly maxWaitMs: number;
}

/** A semaphore whose first-in, first-out queue is bounded in length and in waiting time. */
export class BoundedQueue {
  private readonly options: BoundedQueueOptions;

  private active = 0;

  /** Resolvers of the waiting callers, in order of arrival. */
  private readonly queued = new Set<() => void>();

  constructor(options: BoundedQueueOptions) {
    this.options = options;
  }

  /**
   * Waits for a slot.
   *
   * @returns null when the queue is full, or when no slot was free within `maxWaitMs`
   */
  async acquire(): Promise<Release | null> {
    if (this.active < this.options.maxConcurrent) {
      this.active += 1;
      return this.release;
    }
    return this.queued.size < this.options.maxQueued ? this.waitForSlot() : null;
  }

  private waitForSlot(): Promise<Release | null> {
    return new Promise((resolve) => {
      const grant = (): void => {
        clearTimeout(timer);
        resolve(this.release);
      };
      const timer = setTimeout(() => {
        this.queued.delete(grant);
        resolve(null);
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
