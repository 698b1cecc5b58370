import { AsyncResource } from 'node:async_hooks';
import { FairQueue } from './bulkhead/fair-queue.js';

/**
 * Number of requests that start in one turn of the event loop. With four, refusals and health
 * checks are answered a bit sooner, but goodput falls; with 24 they wait longer, and goodput does
 * not rise.
 */
const STARTS_PER_TURN = 16;

/** Weight of the latest turn in the average: it is that of the last ten or so. */
const SMOOTHING = 0.1;

/** Milliseconds within which some hundred requests that come at the same moment are worked off. */
const STANDING_MS = 200;

/**
 * Lets few requests start in each turn of the event loop; the others wait, and start in turns of their
 * client prefixes. So a turn stays short, and what starts is not delayed by all that has arrived. While fewer arrive,
 * none waits.
 */
export class StartQueue {
  private readonly waiting = new FairQueue<() => void>();
  /**
   * Since when the queue was never empty, on the clock of `performance.now()`; null while it is
   * empty.
   */
  private waitingSince: number | null = null;
  /** Number of requests that have started in the present turn. */
  private started = 0;
  private turnStartedAt = 0;
  private isScheduled = false;
  /** Average milliseconds of a turn per started request; 0 until the first turn is measured. */
  private msPerStart = 0;

  /** Milliseconds that a request of this client prefix would wait if it came now. */
  waitMs(clientPrefix: string): number {
    return this.waiting.countBefore(clientPrefix) * this.msPerStart;
  }

  /**
   * Whether requests have waited for longer than a burst lasts: more requests come than can be
   * worked off.
   */
  get isStanding(): boolean {
    return this.waitingSince !== null && performance.now() - this.waitingSince > STANDING_MS;
  }

  /**
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
    // Without the bind, `start` would run in the asynchronous context of the first request of this
    // turn.
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
    // Only a full turn is measured: if requests wait, the turn was full.
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
