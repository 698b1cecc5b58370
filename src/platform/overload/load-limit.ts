import { Injectable } from '@nestjs/common';
import { Bulkhead } from './bulkhead/bulkhead.js';
import { EXPENSIVE_READ_SLOTS, KEEP_FREE_MS } from './expensive-reads.js';
import { TooManyExpensiveReadsError } from './overload.errors.js';
import { REQUEST_CLASSES, type RequestClass } from './request-class.js';
import { StartQueue } from './start-queue.js';

/**
 * Soft limit of the requests of a class in flight. It holds even if all can start at once, because they may
 * wait for the database then.
 */
const SOFT_MAX_IN_FLIGHT = 256;

/**
 * Hard limit of the requests of a class in flight. Above the soft limit, only client prefixes that have less
 * than their share of the soft limit may add requests.
 */
const HARD_MAX_IN_FLIGHT = 2 * SOFT_MAX_IN_FLIGHT;

/**
 * During a burst, a request is refused if it would have to wait for this many milliseconds until it starts.
 */
const BURST_WAIT_MS = 250;

/**
 * Limits how many expensive reads of a client prefix are in flight. Further ones wait before anything else is
 * done for them. If they waited at a later step, V8 would move the memory that they hold to the old generation, where
 * it stays until the whole heap is collected.
 *
 * `maxPerClientPrefix` is just enough to keep the slots of ExpensiveReadsService busy. While another client
 * prefix is active, a client prefix may have only as many reads in flight as it may hold of those slots. Then
 * the reads of the other client prefix wait for fewer turns of the event loop.
 */
const EXPENSIVE_READS = {
  maxConcurrent: Infinity,
  maxPerClientPrefix: EXPENSIVE_READ_SLOTS + 2,
  maxWhileShared: EXPENSIVE_READ_SLOTS - 1,
  keepFreeMs: KEEP_FREE_MS,
  maxQueued: 50,
  maxWaitMs: 2_000,
} as const;

/** What LoadLimit needs to know of a request. */
export interface Work {
  readonly requestClass: RequestClass;
  /** The client prefix as `clientPrefixFrom` returns it. */
  readonly clientPrefix: string;
}

/**
 * Decides which requests are refused under overload: those that would have to wait too long until they start.
 * The wait is estimated from measured times, so no limit has to be tuned to the machine.
 *
 * While the event loop has time left, no request waits for its start. Requests may still wait for the
 * database, such as during an election, but refusing some of them would not make the database faster.
 */
@Injectable()
export class LoadLimit {
  /** Number of refused requests of each class, since the start. */
  readonly refusals = byClass(() => 0);
  readonly starts = new StartQueue();
  /** Expensive reads take a slot before they start. `run` and `acquire` throw TooManyExpensiveReadsError. */
  readonly expensiveReads = new Bulkhead(EXPENSIVE_READS, () => new TooManyExpensiveReadsError());
  private readonly inFlight = byClass(() => new Set<Work>());

  /** Whether a request has to be refused. If so, it is counted as refused. */
  refuses({ requestClass, clientPrefix }: Work): boolean {
    const inFlight = this.inFlight[requestClass];
    const { minInFlight, waitMs } = REQUEST_CLASSES[requestClass];
    if (inFlight.size < minInFlight) return false;
    const { starts } = this;
    const isInTime = starts.waitMs(clientPrefix) < (starts.isStanding ? waitMs : BURST_WAIT_MS);
    if (isInTime && hasPlace(inFlight, clientPrefix)) return false;
    this.refusals[requestClass] += 1;
    return true;
  }

  /** Counts the request as in flight until `end` is called. */
  begin(work: Work): void {
    this.inFlight[work.requestClass].add(work);
  }

  isWorkedOn(work: Work): boolean {
    return this.inFlight[work.requestClass].has(work);
  }

  end(work: Work): void {
    this.inFlight[work.requestClass].delete(work);
  }
}

/**
 * Whether a request may be added. One client prefix may have all places while no other needs one, but it
 * cannot keep others out.
 */
function hasPlace(inFlight: ReadonlySet<Work>, clientPrefix: string): boolean {
  if (inFlight.size < SOFT_MAX_IN_FLIGHT) return true;
  if (inFlight.size >= HARD_MAX_IN_FLIGHT) return false;
  const prefixes = [...inFlight].map((work) => work.clientPrefix);
  const own = prefixes.filter((prefix) => prefix === clientPrefix);
  return own.length < SOFT_MAX_IN_FLIGHT / new Set([...prefixes, clientPrefix]).size;
}

function byClass<Value>(make: () => Value): Record<RequestClass, Value> {
  return { 'costly-read': make(), read: make(), write: make(), 'sign-in': make() };
}
