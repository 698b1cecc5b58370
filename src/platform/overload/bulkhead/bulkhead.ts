import { FairQueue } from './fair-queue.js';
import { NetworkCounts } from './network-counts.js';
import { ResponsePacer } from './response-pacer.js';

/** Frees the slot for the next caller. Call it exactly once. */
export type Release = () => void;

export interface BulkheadOptions {
  /** Slots: how many callers may run at the same time. */
  readonly maxConcurrent: number;
  /** How many of them one network may hold; all when left out. */
  readonly maxPerNetwork?: number;
  /** How many while another network is about; as many as else when left out. */
  readonly maxBesideOthers?: number;
  /** How many callers may wait for a slot. Further ones are rejected at once. */
  readonly maxQueued: number;
  /** How long a caller waits for a slot before it is rejected. */
  readonly maxWaitMs: number;
  /**
   * For how long after its last call a network is about. So long the last free slot is given to no other network
   * that holds one already. 0 when left out: whoever asks gets it.
   */
  readonly keepFreeMs?: number;
}

/** The caller's network where nobody has to share with others. */
const NO_NETWORK = '';

const NO_CALL = { network: NO_NETWORK, at: -Infinity };

/** Ends the wait of a caller: with a slot, or without one. */
type Settle = (isGranted: boolean) => void;

/**
 * Limits the concurrency of one kind of expensive work, and the length and wait of its queue. Slots are
 * granted to the networks of the callers in turn, and a full queue drops a caller of the network that
 * has the most in it: one network delays another by one piece of work, however much it asks for. With
 * `keepFreeMs` it does not even do that.
 */
export class Bulkhead {
  /** The slots that networks hold. */
  private readonly held = new NetworkCounts();
  /** The network that has called last, and the one that was the last before it. */
  private lastCalls = [NO_CALL, NO_CALL] as const;
  private readonly queue = new FairQueue<Settle>();
  private readonly rejections = new ResponsePacer();
  private rejected = 0;
  private readonly options: BulkheadOptions;

  /** @param rejection makes the error for a caller that gets no slot */
  constructor(
    options: BulkheadOptions,
    private readonly rejection: () => Error,
  ) {
    // Tests change those of one bulkhead.
    this.options = { ...options };
  }

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
    this.note(network);
    // Others of its network may wait for the slot that is kept free: they came first.
    if (!this.queue.has(network) && this.mayHaveSlot(network)) this.take(network);
    else if (!this.hasPlace(network) || !(await this.waitForSlot(network))) {
      this.rejected += 1;
      await this.rejections.waitTurn();
      throw this.rejection();
    }
    return () => this.release(network);
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

  private note(network: string): void {
    const [last, before] = this.lastCalls;
    const call = { network, at: performance.now() };
    this.lastCalls = [call, last.network === network ? before : last];
  }

  /** Whether a slot is free, and is not kept for other networks. */
  private readonly mayHaveSlot = (network: string): boolean => {
    const {
      maxConcurrent,
      maxPerNetwork = Infinity,
      maxBesideOthers = maxPerNetwork,
    } = this.options;
    const free = maxConcurrent - this.held.total;
    if (!this.areOthersAbout(network)) return free > 0 && this.held.of(network) < maxPerNetwork;
    return this.held.of(network) < maxBesideOthers && free > (this.held.has(network) ? 1 : 0);
  };

  private areOthersAbout(network: string): boolean {
    const [last, before] = this.lastCalls;
    const { at } = last.network === network ? before : last;
    return performance.now() - at < (this.options.keepFreeMs ?? 0);
  }

  private take(network: string): void {
    this.held.add(network);
  }

  private release(network: string): void {
    this.held.remove(network);
    this.serveWaiting();
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
        if (isGranted) this.take(network);
        resolve(isGranted);
      };
      const timer = setTimeout(() => {
        this.queue.remove(network, settle);
        resolve(false);
      }, this.options.maxWaitMs);
      this.queue.add(network, settle);
      this.serveWaiting();
    });
  }

  /** Passes free slots to waiting callers at once, so that a later one cannot overtake the queue. */
  private serveWaiting(): void {
    for (;;) {
      const settle = this.queue.next(this.mayHaveSlot);
      if (!settle) return;
      settle(true);
    }
  }
}
