import { AsyncResource } from 'node:async_hooks';
import { FairQueue } from './bulkhead/fair-queue.js';

/**
 * Number of requests that start in one turn of the event loop. With four, refusals and health
 * checks are answered a bit sooner, but goodput falls; with 24 they wait longer, and goodput does
 * not rise.
 */
const STARTS_PER_TURN = 16;

/** Weight of the latest turn in the moving average `msPerStart`, which covers about the last ten turns. */
const SMOOTHING = 0.1;

/**
 * Milliseconds after which a queue that has stayed non-empty means overload, not a burst: a burst of some
 * hundred requests has started by then.
 */
const STANDING_MS = 200;

/**
 * Lets at most STARTS_PER_TURN requests start in each turn of the event loop. Further ones wait, and their
 * client prefixes are served in round robin. So a turn stays short, and a request that has started is not
 * delayed by all requests that have arrived. While at most STARTS_PER_TURN arrive in each turn, none waits.
 */
export class StartQueue {
  private readonly waiting = new FairQueue<() => void>();
  /**
   * When the queue became non-empty, on the clock of `performance.now()`. It is null again once a turn has
   * ended with an empty queue.
   */
  private waitingSince: number | null = null;
  /** How many requests have started in the present turn. */
  private started = 0;
  private turnStartedAt = 0;
  /** Whether `nextTurn` will be called. */
  private isScheduled = false;
  /** The average time that a start takes, in milliseconds; 0 before the first full turn. */
  private msPerStart = 0;

  /** @returns how long a request of this client prefix would wait if it came now, in milliseconds */
  waitMs(clientPrefix: string): number {
    return this.waiting.countBefore(clientPrefix) * this.msPerStart;
  }

  /**
   * Whether the queue has been non-empty for longer than a burst lasts: more requests arrive than can start.
   */
  get isStanding(): boolean {
    return this.waitingSince !== null && performance.now() - this.waitingSince > STANDING_MS;
  }

  /**
   * Calls `start` now or in a later turn.
   *
   * @param clientPrefix client prefix of the request, as `clientPrefixFrom` returns it
   * @param start must not throw
   */
  add(clientPrefix: string, start: () => void): void {
    if (!this.isScheduled) this.schedule();
    if (this.started < STARTS_PER_TURN) {
      this.started += 1;
      start();
      return;
    }
    this.waitingSince ??= performance.now();
    // Without `bind`, `start` would run in the asynchronous context of the request that scheduled `nextTurn`.
    this.waiting.add(clientPrefix, AsyncResource.bind(start));
  }

  private schedule(): void {
    this.isScheduled = true;
    this.turnStartedAt = performance.now();
    setImmediate(this.nextTurn);
  }

  private readonly nextTurn = (): void => {
    // In most turns nothing has waited, so the queue is not asked.
    if (this.waitingSince === null || this.waiting.length === 0) {
      this.waitingSince = null;
      this.isScheduled = false;
      this.started = 0;
      return;
    }
    // Requests wait only if the last turn had the maximum of starts, so that turn shows the time per start.
    this.measureTurn();
    this.schedule();
    this.started = Math.min(this.waiting.length, STARTS_PER_TURN);
    for (let at = 0; at < this.started; at += 1) this.waiting.next()?.();
  };

  private measureTurn(): void {
    const ms = (performance.now() - this.turnStartedAt) / this.started;
    const weight = this.msPerStart === 0 ? 1 : SMOOTHING;
    this.msPerStart += weight * (ms - this.msPerStart);
  }
}
