import { Injectable } from '@nestjs/common';
import { Bulkhead } from './bulkhead/bulkhead.js';
import { EXPENSIVE_READ_SLOTS, KEEP_FREE_MS } from './expensive-reads.js';
import { TooManyExpensiveReadsError } from './overload.errors.js';
import { REQUEST_CLASSES, type RequestClass } from './request-class.js';
import { StartQueue } from './start-queue.js';

/**
 * Largest number of requests of a class that are worked on, however fast they start: they may wait
 * for the database.
 */
const MOST = 256;

/** Beyond MOST, client prefixes that have less than their share of MOST are let in, up to this many in all. */
const MOST_WITH_SHARES = 2 * MOST;

/** Milliseconds that a request may have to wait in a burst before others are refused. */
const BURST_WAIT_MS = 250;

/**
 * Limits how many expensive reads of a client prefix are worked on at a time. The others wait before anything else is
 * done for them: V8 moves what waits for long to the old part of its heap, and what such a request then read would stay
 * there until the whole heap is collected. So no more are worked on than keep the slots of ExpensiveReadsService busy.
 * Beside another client prefix they are as many as may have a slot there, so that its reads wait for fewer turns of the
 * event loop.
 */
const EXPENSIVE_READS = {
  maxConcurrent: Infinity,
  maxPerClientPrefix: EXPENSIVE_READ_SLOTS + 2,
  maxBesideOthers: EXPENSIVE_READ_SLOTS - 1,
  keepFreeMs: KEEP_FREE_MS,
  maxQueued: 50,
  maxWaitMs: 2_000,
} as const;

/** A request that is let in. */
export interface Work {
  readonly requestClass: RequestClass;
  /** The network of the client, as `clientPrefixFrom` returns it. */
  readonly clientPrefix: string;
}

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
  private readonly inFlight = byClass(() => new Set<Work>());

  /** Whether a request must not start. It is then counted as refused. */
  refuses({ requestClass, clientPrefix }: Work): boolean {
    const inFlight = this.inFlight[requestClass];
    const { atLeast, waitMs } = REQUEST_CLASSES[requestClass];
    if (inFlight.size < atLeast) return false;
    const { starts } = this;
    const isInTime = starts.waitMs(clientPrefix) < (starts.isStanding ? waitMs : BURST_WAIT_MS);
    if (isInTime && hasPlace(inFlight, clientPrefix)) return false;
    this.refusals[requestClass] += 1;
    return true;
  }

  /** Counts the work until `end` is called. */
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

/** One client prefix may have all places while no other needs one, but it cannot keep others out. */
function hasPlace(inFlight: ReadonlySet<Work>, clientPrefix: string): boolean {
  if (inFlight.size < MOST) return true;
  if (inFlight.size >= MOST_WITH_SHARES) return false;
  const prefixes = [...inFlight].map((work) => work.clientPrefix);
  const own = prefixes.filter((prefix) => prefix === clientPrefix);
  return own.length < MOST / new Set([...prefixes, clientPrefix]).size;
}

function byClass<Value>(make: () => Value): Record<RequestClass, Value> {
  return { 'costly-read': make(), read: make(), write: make(), 'sign-in': make() };
}
