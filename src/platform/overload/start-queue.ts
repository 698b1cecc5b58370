import { AsyncResource } from 'node:async_hooks';
import { FairQueue } from './bulkhead/fair-queue.js';

/**
 * How many requests start in one turn of the event loop. With four, refusals and health checks are answered a bit
 * sooner, but less work is done; with 24 they wait longer, and no more is done.
 */
const STARTS_PER_TURN = 16;

/** Weight of the latest turn in the average: it is that of the last ten or so. */
const SMOOTHING = 0.1;

/** Some hundred requests that come at the same moment are worked off within this time. */
const STANDING_MS = 200;

/**
 * Lets few requests start in each turn of the event loop; the others wait, and start in turns of their
 * client prefixes. So a turn stays short, and what starts is not delayed by all that has arrived. While fewer arrive,
 * none waits.
 */
export class StartQueue {
  private readonly waiting = new FairQueue<() => void>();
  /** Since when some have waited all the time, as performance.now(). */
  private waitingSince: number | null = null;
  /** In the turn that goes on. */
  private started = 0;
  private turnStartedAt = 0;
  private isScheduled = false;
  /** 0: not measured yet. */
  private msPerStart = 0;

  /** How long a request of this client prefix that came now would wait, in milliseconds. */
  waitMs(clientPrefix: string): number {
    return this.waiting.countBefore(clientPrefix) * this.msPerStart;
  }

  /** Whether requests have waited for longer than a burst lasts: more come than can be worked off. */
  get isStanding(): boolean {
    return this.waitingSince !== null && performance.now() - this.waitingSince > STANDING_MS;
  }

  /**
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
    // Else it would run in the asynchronous context of the request that was first in this turn.
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
    // Only such a turn was full.
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
