import { FairQueue } from './fair-queue.js';
import { ClientPrefixCounts } from './client-prefix-counts.js';
import { ResponsePacer } from './response-pacer.js';

/** Frees the slot for the next caller. Call it exactly once. */
export type Release = () => void;

export interface BulkheadOptions {
  /** Number of slots: callers that may run at the same time. */
  readonly maxConcurrent: number;
  /** Number of slots that one client prefix may hold; all when left out. */
  readonly maxPerClientPrefix?: number;
  /** How many of them while another client prefix is active; `maxPerClientPrefix` when left out. */
  readonly maxBesideOthers?: number;
  /** Number of callers that may wait for a slot. Further ones are rejected at once. */
  readonly maxQueued: number;
  /** Milliseconds that a caller waits for a slot before it is rejected. */
  readonly maxWaitMs: number;
  /**
   * A client prefix is active for so long after its last call. As long as it is, no other client prefix that holds a
   * slot gets the last free one. 0 when left out: whoever asks gets that slot.
   */
  readonly keepFreeMs?: number;
}

/** The client prefix of callers that need not share with others. */
const NO_CLIENT_PREFIX = '';

const NO_CALL = { clientPrefix: NO_CLIENT_PREFIX, at: -Infinity };

/** Ends the wait of a caller, with a slot or without one. */
type Settle = (isGranted: boolean) => void;

/**
 * Limits the concurrency of one kind of expensive work, and the length and wait of its queue. Slots are
 * granted to the client prefixes of the callers in turn, and a full queue drops a caller of the client prefix that
 * has the most in it: one client prefix delays another by one piece of work, however much it asks for. With
 * `keepFreeMs` it does not even do that.
 */
export class Bulkhead {
  private readonly held = new ClientPrefixCounts();
  /** The last call, and the last call before it by another client prefix. */
  private lastCalls = [NO_CALL, NO_CALL] as const;
  private readonly queue = new FairQueue<Settle>();
  private readonly rejections = new ResponsePacer();
  private rejected = 0;
  private readonly options: BulkheadOptions;

  /** @param rejection makes the error of a caller that gets no slot */
  constructor(
    options: BulkheadOptions,
    private readonly rejection: () => Error,
  ) {
    // A copy, because tests change the options of one bulkhead.
    this.options = { ...options };
  }

  /** Number of callers that wait for a slot. */
  get queueLength(): number {
    return this.queue.length;
  }

  /** Number of callers that got no slot, since the start. */
  get rejectedCount(): number {
    return this.rejected;
  }

  /**
   * Waits for a slot.
   *
   * @param clientPrefix client prefix of the caller, as `clientPrefixFrom` returns it
   * @returns a function that frees the slot; call it once, also when the work fails
   * @throws the rejection when the queue is full, or when no slot was free within `maxWaitMs`
   */
  async acquire(clientPrefix = NO_CLIENT_PREFIX): Promise<Release> {
    const free = this.tryAcquire(clientPrefix);
    if (free) return free;
    if (this.hasPlace(clientPrefix) && (await this.waitForSlot(clientPrefix))) {
      return () => this.release(clientPrefix);
    }
    this.rejected += 1;
    await this.rejections.waitTurn();
    throw this.rejection();
  }

  /** Takes a slot if one is free for this client prefix now. @returns null otherwise; else as `acquire` does */
  tryAcquire(clientPrefix: string): Release | null {
    this.noteCall(clientPrefix);
    // Others of its client prefix may wait for the slot that is kept free: they came first.
    if (this.queue.has(clientPrefix) || !this.mayHaveSlot(clientPrefix)) return null;
    this.take(clientPrefix);
    return () => this.release(clientPrefix);
  }

  /**
   * Does the work once a slot is free.
   *
   * @throws the rejection
   * @throws what the work throws
   */
  async run<Result>(work: () => Promise<Result>, clientPrefix = NO_CLIENT_PREFIX): Promise<Result> {
    const release = await this.acquire(clientPrefix);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Remembers which client prefixes are active. */
  private noteCall(clientPrefix: string): void {
    const [last, before] = this.lastCalls;
    const call = { clientPrefix, at: performance.now() };
    this.lastCalls = [call, last.clientPrefix === clientPrefix ? before : last];
  }

  /** Whether a slot is free, and is not kept for other client prefixes. */
  private readonly mayHaveSlot = (clientPrefix: string): boolean => {
    const {
      maxConcurrent,
      maxPerClientPrefix = Infinity,
      maxBesideOthers = maxPerClientPrefix,
    } = this.options;
    const free = maxConcurrent - this.held.total;
    if (!this.areOthersActive(clientPrefix)) {
      return free > 0 && this.held.of(clientPrefix) < maxPerClientPrefix;
    }
    return (
      this.held.of(clientPrefix) < maxBesideOthers && free > (this.held.has(clientPrefix) ? 1 : 0)
    );
  };

  private areOthersActive(clientPrefix: string): boolean {
    const [last, before] = this.lastCalls;
    const { at } = last.clientPrefix === clientPrefix ? before : last;
    return performance.now() - at < (this.options.keepFreeMs ?? 0);
  }

  private take(clientPrefix: string): void {
    this.held.add(clientPrefix);
  }

  private release(clientPrefix: string): void {
    this.held.remove(clientPrefix);
    this.serveWaiting();
  }

  /**
   * Whether the queue has a place, or can drop a caller of another client prefix that has more in
   * it.
   */
  private hasPlace(clientPrefix: string): boolean {
    if (this.queue.length < this.options.maxQueued) return true;
    const dropped = this.queue.dropForFairness(clientPrefix);
    dropped?.(false);
    return dropped !== undefined;
  }

  /** @returns false when the wait took too long, or when another client prefix needed the place */
  private waitForSlot(clientPrefix: string): Promise<boolean> {
    return new Promise((resolve) => {
      const settle: Settle = (isGranted) => {
        clearTimeout(timer);
        if (isGranted) this.take(clientPrefix);
        resolve(isGranted);
      };
      const timer = setTimeout(() => {
        this.queue.remove(clientPrefix, settle);
        resolve(false);
      }, this.options.maxWaitMs);
      this.queue.add(clientPrefix, settle);
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
