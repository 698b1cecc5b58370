import { Injectable } from '@nestjs/common';
import { REQUEST_CLASSES, type CountedClass, type RequestClass } from './request-class.js';

/** Milliseconds that a request takes on average, from which on more at the same time would only wait. */
const SLOW_MS = 100;

/** Weight of the latest request in the average: it is that of the last twenty or so. */
const SMOOTHING = 0.05;

/**
 * How many times as many requests may be under way while they are fast, or while none ends: they wait
 * for the database, such as during an election, and refusing others would not make it faster.
 */
const MAX_FACTOR = 6;

/**
 * Decides which requests are refused under overload: while requests take longer than they should, the
 * number of those that are worked on is limited by class (REQUEST_CLASSES).
 *
 * By Little's law, the limit follows what the machine can do: where requests are fast, more of them may
 * be under way, and the average settles near SLOW_MS.
 */
@Injectable()
export class LoadLimit {
  /** How many requests of each class were refused, since the start. */
  readonly refusals: Record<RequestClass, number> = {
    ...{ 'costly-read': 0, read: 0, write: 0, 'sign-in': 0 },
  };
  private readonly maxInFlight: Readonly<Record<RequestClass, number>> = {
    'costly-read': REQUEST_CLASSES['costly-read'].maxInFlight,
    read: REQUEST_CLASSES.read.maxInFlight,
    write: REQUEST_CLASSES.write.maxInFlight,
    'sign-in': REQUEST_CLASSES['sign-in'].maxInFlight,
  };
  private readonly averageMs: Record<CountedClass, number> = { read: 0, write: 0 };
  private readonly inFlight: Record<CountedClass, number> = { read: 0, write: 0 };

  /** Counts a request that must not start, and says so. */
  refuses(requestClass: RequestClass): boolean {
    const { asks } = REQUEST_CLASSES[requestClass];
    const [inFlight, most] = [this.inFlight[asks], this.maxInFlight[requestClass]];
    if (inFlight < most) return false;
    const isSlow = this.averageMs[asks] > SLOW_MS;
    if (!isSlow && inFlight < most * MAX_FACTOR) return false;
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
