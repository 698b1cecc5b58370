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
  /**
   * Number of slots that one client prefix may hold while another one is active (see `keepFreeMs`);
   * `maxPerClientPrefix` when left out.
   */
  readonly maxWhileShared?: number;
  /** Number of callers that may wait for a slot. A further one is rejected, or takes the place of another. */
  readonly maxQueued: number;
  /** Milliseconds that a caller waits for a slot before it is rejected. */
  readonly maxWaitMs: number;
  /**
   * Milliseconds for which a client prefix is active after its last call. While it is active, no other client
   * prefix that already holds a slot gets the last free slot. 0 when left out: the last free slot is not kept
   * for anyone.
   */
  readonly keepFreeMs?: number;
}

/** The client prefix of callers that pass none. They are treated as one client prefix. */
const NO_CLIENT_PREFIX = '';

const NO_CALL = { clientPrefix: NO_CLIENT_PREFIX, at: -Infinity };

/** Ends the wait of a caller, with a slot or without one. */
type Settle = (isGranted: boolean) => void;

/**
 * Limits the concurrency of one kind of expensive work, and the length and wait of its queue. Waiting client
 * prefixes get slots in round robin, and a full queue drops a caller of the client prefix that has the most
 * callers in it. So a client prefix delays each other by one piece of work at most, however much work it asks for.
 * With `keepFreeMs`, it does not even cause that delay.
 */
export class Bulkhead {
  private readonly held = new ClientPrefixCounts();
  /** The last call, and the last call before that by a different client prefix. */
  private lastCalls = [NO_CALL, NO_CALL] as const;
  private readonly queue = new FairQueue<Settle>();
  private readonly rejectionPacer = new ResponsePacer();
  private rejected = 0;
  private readonly options: BulkheadOptions;

  /** @param rejection makes the error of a caller that gets no slot */
  constructor(
    options: BulkheadOptions,
    private readonly rejection: () => Error,
  ) {
    // The options are copied, because tests change those of one bulkhead.
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
    const release = this.tryAcquire(clientPrefix);
    if (release) return release;
    if (this.makePlace(clientPrefix) && (await this.waitForSlot(clientPrefix))) {
      return () => this.release(clientPrefix);
    }
    this.rejected += 1;
    await this.rejectionPacer.waitTurn();
    throw this.rejection();
  }

  /**
   * Takes a slot if one is free for this client prefix now.
   *
   * @returns a function that frees the slot, as `acquire` does; null if no slot is free for this client
   *   prefix
   */
  tryAcquire(clientPrefix: string): Release | null {
    this.noteCall(clientPrefix);
    // Callers of this client prefix that already wait for a slot come first.
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

  /** Whether a slot is free that is not kept for others, and this client prefix holds fewer than it may. */
  private readonly mayHaveSlot = (clientPrefix: string): boolean => {
    const {
      maxConcurrent,
      maxPerClientPrefix = Infinity,
      maxWhileShared = maxPerClientPrefix,
    } = this.options;
    const free = maxConcurrent - this.held.total;
    if (!this.areOthersActive(clientPrefix)) {
      return free > 0 && this.held.of(clientPrefix) < maxPerClientPrefix;
    }
    return (
      this.held.of(clientPrefix) < maxWhileShared && free > (this.held.has(clientPrefix) ? 1 : 0)
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
   * Makes a place for a caller in the queue. A full queue drops a waiting caller of the client prefix with
   * the most callers in it.
   *
   * @returns false when the queue is full, and no client prefix has more callers in it than this one would
   *   have
   */
  private makePlace(clientPrefix: string): boolean {
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

  /** Passes free slots to waiting callers at once, so that a later caller cannot overtake the queue. */
  private serveWaiting(): void {
    for (;;) {
      const settle = this.queue.next(this.mayHaveSlot);
      if (!settle) return;
      settle(true);
    }
  }
}
