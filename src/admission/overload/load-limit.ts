import { Injectable } from '@nestjs/common';
import {
  REQUEST_CLASSES,
  type ClassRow,
  type CountedClass,
  type RequestClass,
} from './request-class.js';

/** Milliseconds that a request may take on average. More at the same time would only wait. */
const SLOW_MS = 100;

/** Weight of the latest request in the average: it is that of the last twenty or so. */
const SMOOTHING = 0.05;

/**
 * How many times as many requests may be under way at most: while they are fast, and while none ends, such
 * as during an election, which refusing others would not make shorter.
 */
const MAX_FACTOR = 6;

/**
 * Decides which requests are refused under overload: the number of those that are worked on is limited by
 * class (REQUEST_CLASSES).
 *
 * By Little's law, the limit follows what the machine can do: where requests take half of SLOW_MS, twice as
 * many may be under way. So the average settles near SLOW_MS.
 */
@Injectable()
export class LoadLimit {
  /** How many requests of each class were refused, since the start. */
  readonly refusals: Record<RequestClass, number> = {
    ...{ 'costly-read': 0, read: 0, write: 0, 'sign-in': 0 },
  };
  private readonly classes: Record<RequestClass, ClassRow> = { ...REQUEST_CLASSES };
  private readonly averageMs: Record<CountedClass, number> = { read: 0, write: 0 };
  private readonly inFlight: Record<CountedClass, number> = { read: 0, write: 0 };

  /** Counts a request that must not start, and says so. */
  refuses(requestClass: RequestClass): boolean {
    const { asks, maxInFlight } = this.classes[requestClass];
    const factor = Math.min(Math.max(1, SLOW_MS / this.averageMs[asks]), MAX_FACTOR);
    if (this.inFlight[asks] < maxInFlight * factor) return false;
    this.refusals[requestClass] += 1;
    return true;
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
