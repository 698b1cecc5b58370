import { FairQueue } from './fair-queue.js';
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

/** The caller's network where nobody has to share with others. */
const NO_NETWORK = '';

/** Ends the wait of a caller: with a slot, or without one. */
type Settle = (isGranted: boolean) => void;

/**
 * Limits the concurrency of one kind of expensive work, and the length and wait of its queue. Slots are
 * granted to the networks of the callers in turn, and a full queue drops a caller of the network that
 * has the most in it: one network delays another by one piece of work, however much it asks for.
 */
export class Bulkhead {
  private active = 0;
  private readonly queue = new FairQueue<Settle>();
  private readonly rejections = new ResponsePacer();
  private rejected = 0;

  /** @param rejection makes the error for a caller that gets no slot */
  constructor(
    private readonly options: BulkheadOptions,
    private readonly rejection: () => Error,
  ) {}

  /** How many callers wait for a slot. */
  get queueLength(): number {
    return this.queue.length;
  }

  /** How many callers got no slot, since the start. */
  get rejectedCount(): number {
    return this.rejected;
  }

  /**
   * Waits for a slot.
   *
   * @param network of the caller, as `clientNetwork` returns it
   * @returns a function that frees the slot; call it once, also when the work fails
   * @throws the rejection when the queue is full, or when no slot was free within `maxWaitMs`
   */
  async acquire(network = NO_NETWORK): Promise<Release> {
    if (this.active < this.options.maxConcurrent) {
      this.active += 1;
      return this.release;
    }
    if (this.hasPlace(network) && (await this.waitForSlot(network))) return this.release;
    this.rejected += 1;
    await this.rejections.waitTurn();
    throw this.rejection();
  }

  /** Does the work once a slot is free. @throws the rejection @throws what the work throws */
  async run<Result>(work: () => Promise<Result>, network = NO_NETWORK): Promise<Result> {
    const release = await this.acquire(network);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Makes place in a full queue, if another network has more in it than this one will have. */
  private hasPlace(network: string): boolean {
    if (this.queue.length < this.options.maxQueued) return true;
    const dropped = this.queue.dropForFairness(network);
    dropped?.(false);
    return dropped !== undefined;
  }

  /** @returns false when the wait took too long, or when another network needed the place */
  private waitForSlot(network: string): Promise<boolean> {
    return new Promise((resolve) => {
      const settle: Settle = (isGranted) => {
        clearTimeout(timer);
        resolve(isGranted);
      };
      const timer = setTimeout(() => {
        this.queue.remove(network, settle);
        resolve(false);
      }, this.options.maxWaitMs);
      this.queue.add(network, settle);
    });
  }

  /** Passes the slot to a waiting caller, so that a later one cannot overtake the queue. */
  private readonly release = (): void => {
    const settle = this.queue.next();
    if (settle) settle(true);
    else this.active -= 1;
  };
}
