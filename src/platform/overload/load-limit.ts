import { Injectable } from '@nestjs/common';
import { Bulkhead } from './bulkhead/bulkhead.js';
import { ClientPrefixCounts } from './bulkhead/client-prefix-counts.js';
import { EXPENSIVE_READ_SLOTS, KEEP_FREE_MS } from './expensive-reads.js';
import { TooManyExpensiveReadsError } from './overload.errors.js';
import { REQUEST_CLASSES, type RequestClass } from './request-class.js';
import { StartQueue } from './start-queue.js';

/**
 * Largest number of requests of a class that are worked on, however fast they start: they may wait
 * for the database.
 */
const MOST = 256;

/**
 * Largest number of requests of a class, including those of client prefixes that have less than
 * their share of MOST.
 */
const MOST_WITH_SHARES = 2 * MOST;

/** Milliseconds that a request may have to wait in a burst before others are refused. */
const BURST_WAIT_MS = 250;

/**
 * How many expensive reads of a client prefix are under way; others wait before anything else is done for them. What waits for
 * long is moved to the old part of the heap, and what it then reads would stay with it until the whole heap is
 * collected. So no more are under way than keep the slots of ExpensiveReadsService busy. Beside another client prefix they
 * are as many as may have a slot there, so that its reads wait for fewer turns of the event loop.
 */
const EXPENSIVE_READS = {
  maxConcurrent: Infinity,
  maxPerClientPrefix: EXPENSIVE_READ_SLOTS + 2,
  maxBesideOthers: EXPENSIVE_READ_SLOTS - 1,
  keepFreeMs: KEEP_FREE_MS,
  maxQueued: 50,
  maxWaitMs: 2_000,
} as const;

/**
 * Decides which requests are refused under overload: those that would have to wait too long until they start.
 * The wait follows from what the machine does, so no limit has to fit it.
 *
 * While the event loop has time left, nobody waits for it. Requests wait for the database then, such as during
 * an election: refusing others would not make it faster.
 */
@Injectable()
export class LoadLimit {
  /** Number of refused requests of each class, since the start. */
  readonly refusals = byClass(() => 0);
  readonly starts = new StartQueue();
  /** Expensive reads take a slot before they start. `run` and `acquire` throw TooManyExpensiveReadsError. */
  readonly expensiveReads = new Bulkhead(EXPENSIVE_READS, () => new TooManyExpensiveReadsError());
  private readonly inFlight = byClass(() => new ClientPrefixCounts());

  /**
   * Whether a request must not start; a refusal is counted.
   *
   * @param clientPrefix client prefix of the request, as `clientPrefixFrom` returns it
   */
  refuses(requestClass: RequestClass, clientPrefix: string): boolean {
    const inFlight = this.inFlight[requestClass];
    const { atLeast, waitMs } = REQUEST_CLASSES[requestClass];
    if (inFlight.total < atLeast) return false;
    const { starts } = this;
    const isInTime = starts.waitMs(clientPrefix) < (starts.isStanding ? waitMs : BURST_WAIT_MS);
    if (isInTime && hasPlace(inFlight, clientPrefix)) return false;
    this.refusals[requestClass] += 1;
    return true;
  }

  /** Counts a request as being worked on. Call `end` exactly once for it. */
  begin(requestClass: RequestClass, clientPrefix: string): void {
    this.inFlight[requestClass].add(clientPrefix);
  }

  end(requestClass: RequestClass, clientPrefix: string): void {
    this.inFlight[requestClass].remove(clientPrefix);
  }
}

/**
 * Whether the class has a place. One client prefix may have all places while no other needs one,
 * but it cannot keep others out.
 */
function hasPlace(inFlight: ClientPrefixCounts, clientPrefix: string): boolean {
  const { total } = inFlight;
  if (total < MOST) return true;
  return (
    total < MOST_WITH_SHARES &&
    inFlight.of(clientPrefix) < MOST / inFlight.prefixesWith(clientPrefix)
  );
}

function byClass<Value>(make: () => Value): Record<RequestClass, Value> {
  return { 'costly-read': make(), read: make(), write: make(), 'sign-in': make() };
}
