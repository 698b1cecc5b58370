import { Injectable } from '@nestjs/common';
import { REQUEST_CLASSES, type RequestClass } from './request-class.js';
import { StartQueue } from './start-queue.js';

/** How many requests of a class may be worked on, however fast they start: they may wait for the database. */
const MOST = 256;

/** How long a request may have to wait in a burst, in milliseconds, before others are refused. */
const BURST_WAIT_MS = 250;

/**
 * Decides which requests are refused under overload: those that would have to wait too long until they start.
 * The wait follows from what the machine does, so no limit has to fit it.
 *
 * While the event loop has time left, nobody waits for it. Requests wait for the database then, such as during
 * an election: refusing others would not make it faster.
 */
@Injectable()
export class LoadLimit {
  /** How many requests of each class were refused, since the start. */
  readonly refusals = countsByClass();
  readonly starts = new StartQueue();
  private readonly inFlight = countsByClass();

  /**
   * Counts a request that must not start, and says so.
   *
   * @param network of its client, as `clientNetwork` returns it
   */
  refuses(requestClass: RequestClass, network: string): boolean {
    const inFlight = this.inFlight[requestClass];
    const { atLeast, waitMs } = REQUEST_CLASSES[requestClass];
    if (inFlight < atLeast) return false;
    const { starts } = this;
    const isInTime = starts.waitMs(network) < (starts.isStanding ? waitMs : BURST_WAIT_MS);
    if (isInTime && inFlight < MOST) return false;
    this.refusals[requestClass] += 1;
    return true;
  }

  /** The work on a request begins. Call `end` exactly once for it. */
  begin(requestClass: RequestClass): void {
    this.inFlight[requestClass] += 1;
  }

  end(requestClass: RequestClass): void {
    this.inFlight[requestClass] -= 1;
  }
}

function countsByClass(): Record<RequestClass, number> {
  return { 'costly-read': 0, read: 0, write: 0, 'sign-in': 0 };
}
