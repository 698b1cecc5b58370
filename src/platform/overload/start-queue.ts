import { AsyncResource } from 'node:async_hooks';
import { FairQueue } from './bulkhead/fair-queue.js';

/**
 * Number of requests that start in one turn of the event loop. With four, refusals and health
 * checks are answered a bit sooner, but goodput falls; with 24 they wait longer, and goodput does
 * not rise.
 */
const STARTS_PER_TURN = 16;

/** Weight of the latest turn in the average of how long a start takes, which so covers the last ten turns or so. */
const SMOOTHING = 0.1;

/** A queue that is not empty for longer is no burst: some hundred requests that come at a time start sooner. */
const STANDING_MS = 200;

/**
 * Lets few requests start in each turn of the event loop. The others wait, and start in turns of their client prefixes.
 * So a turn stays short, and a request that has started is not delayed by all that have arrived. No request waits while
 * fewer than STARTS_PER_TURN arrive in each turn.
 */
export class StartQueue {
  private readonly waiting = new FairQueue<() => void>();
  /** The time since which the queue has not been empty at the end of a turn, by performance.now(); null if it is. */
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

  /** Whether requests have waited for longer than a burst lasts, so more come than can start. */
  get isStanding(): boolean {
    return this.waitingSince !== null && performance.now() - this.waitingSince > STANDING_MS;
  }

  /**
   * Calls `start` now or in a later turn.
   *
   * @param clientPrefix of the client, as `clientPrefixFrom` returns it
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
    // Without `bind`, it would run in the asynchronous context of the request that was first in this turn.
    this.waiting.add(clientPrefix, AsyncResource.bind(start));
  }

  private schedule(): void {
    this.isScheduled = true;
    this.turnStartedAt = performance.now();
    setImmediate(this.nextTurn);
  }

  private readonly nextTurn = (): void => {
    if (this.waiting.length === 0) {
      this.waitingSince = null;
      this.isScheduled = false;
      this.started = 0;
      return;
    }
    // Requests wait only behind a full turn, so its length tells how long a start takes.
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
