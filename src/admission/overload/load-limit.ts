import { Injectable } from '@nestjs/common';
import {
  REQUEST_CLASSES,
  type ClassRow,
  type CountedClass,
  type RequestClass,
} from './request-class.js';

/** Milliseconds that a request may take on average. More at the same time would only wait. */
const SLOW_MS = 100;

/** Utilization of the event loop, from 0 to 1, above which more requests would make it slower, not faster. */
const BUSY = 0.9;

/** Weight of the latest request in the average: it is that of the last twenty or so. */
const SMOOTHING = 0.05;

/** How many times as many requests may be under way at most: while they are fast, or wait for the database. */
const MAX_FACTOR = 8;

/**
 * Decides which requests are refused under overload: the number of those that are worked on is limited by
 * class (REQUEST_CLASSES).
 *
 * By Little's law, the limit follows what the machine can do: where requests take half of SLOW_MS, twice as
 * many may be under way. So the average settles below SLOW_MS. While the event loop has time left, requests wait
 * for the database, such as during an election: refusing others would not make it faster.
 */
@Injectable()
export class LoadLimit {
  /** How many requests of each class were refused, since the start. */
  readonly refusals: Record<RequestClass, number> = {
    ...{ 'costly-read': 0, read: 0, write: 0, 'sign-in': 0 },
  };
  private readonly classes: Record<RequestClass, ClassRow> = { ...REQUEST_CLASSES };
  private isBusy = false;
  private utilization = performance.eventLoopUtilization();
  private readonly averageMs: Record<CountedClass, number> = { read: 0, write: 0 };
  private readonly inFlight: Record<CountedClass, number> = { read: 0, write: 0 };

  /** Counts a request that must not start, and says so. */
  refuses(requestClass: RequestClass): boolean {
    const { asks, maxInFlight } = this.classes[requestClass];
    const speed = this.isBusy ? SLOW_MS / this.averageMs[asks] : MAX_FACTOR;
    const factor = Math.min(Math.max(1, speed), MAX_FACTOR);
    if (this.inFlight[asks] < maxInFlight * factor) return false;
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
  }
}
