import { Injectable } from '@nestjs/common';
import { REQUEST_CLASSES, type CountedClass, type RequestClass } from './request-class.js';

/** Milliseconds that a request may take on average. More at the same time would only wait. */
const SLOW_MS = 75;

/** Utilization of the event loop, from 0 to 1, above which more requests would make it slower, not faster. */
const BUSY = 0.9;

/** Weight of the latest request in the average: it is that of the last twenty or so. */
const SMOOTHING = 0.05;

/**
 * How many reads, and how many writes, may be worked on. Ten would keep the event loop busy, but so many people
 * may write at a time on a machine that is slow for other reasons.
 */
const FEWEST = 24;
const MOST = 256;

/** How the limit changes with each request that has ended. */
const INCREASE = 0.1;
const DECREASE = 0.98;

/**
 * Decides which requests are refused under overload. The number of reads that are worked on is limited, and that
 * of writes. Each limit falls while requests are slow and the event loop is busy, and rises else (additive increase,
 * multiplicative decrease, as the congestion control of TCP: RFC 5681). So it follows what the machine can do.
 *
 * While the event loop has time left, requests wait for the database, such as during an election: refusing
 * others would not make it faster.
 */
@Injectable()
export class LoadLimit {
  /** How many requests of each class were refused, since the start. */
  readonly refusals: Record<RequestClass, number> = {
    ...{ 'costly-read': 0, read: 0, write: 0, 'sign-in': 0 },
  };
  private isBusy = false;
  private utilization = performance.eventLoopUtilization();
  private readonly limits: Record<CountedClass, number> = { read: MOST, write: MOST };
  private readonly averageMs: Record<CountedClass, number> = { read: 0, write: 0 };
  private readonly inFlight: Record<CountedClass, number> = { read: 0, write: 0 };

  /** Counts a request that must not start, and says so. */
  refuses(requestClass: RequestClass): boolean {
    const { asks, share } = REQUEST_CLASSES[requestClass];
    const limit = this.isBusy ? share * this.limits[asks] : MOST;
    if (this.inFlight[asks] < limit) return false;
    this.refusals[requestClass] += 1;
    return true;
  }

  /** Call it regularly: it looks at the time since the last call. */
  measureUtilization(): void {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.utilization);
    this.isBusy = utilization > BUSY;
    this.utilization = now;
  }

  /** The work on a request begins. Call `end` exactly once for it. */
  begin(requestClass: CountedClass): void {
    this.inFlight[requestClass] += 1;
  }

  end(requestClass: CountedClass): void {
    this.inFlight[requestClass] -= 1;
  }

  /** @param milliseconds of the work on a request that has ended */
  took(requestClass: CountedClass, milliseconds: number): void {
    this.averageMs[requestClass] += SMOOTHING * (milliseconds - this.averageMs[requestClass]);
    const isOver = this.isBusy && this.averageMs[requestClass] > SLOW_MS;
    const limit = this.limits[requestClass];
    this.limits[requestClass] = isOver
      ? Math.max(limit * DECREASE, FEWEST)
      : Math.min(limit + INCREASE, MOST);
  }
}
