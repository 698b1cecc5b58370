import type { mongo } from 'mongoose';
import { jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Clock } from '../../../../src/platform/clock.js';
import { CausalReadBarrier } from '../../../../src/platform/caching/causal-read-barrier.js';
import { Lease } from '../../../../src/platform/caching/lease.js';
import { CacheCoherenceService } from '../../../../src/platform/caching/cache-coherence.service.js';
import { until } from '../../../support/time/wait.js';

/** A read of the database whose result the test holds until `release`. */
export interface HeldRead {
  /** Resolves once the database has been read. */
  untilRead(): Promise<unknown>;
  release(): void;
}

/** Holds the result of the server's next read that may fill a cache, and of none after it. */
export function holdNextRead(app: INestApplicationContext): HeldRead {
  const held = holdResults();
  const { restore } = spyOnReads(app, (result) => {
    restore();
    return held.hold(result);
  });
  return held;
}

/** Several held reads. */
export interface HeldReads {
  /** How many reads have begun so far. */
  count(): number;
  /** Reads that begin from now on are not held. */
  stopHolding(): void;
  release(): void;
}

/** Holds the results of all reads that may fill a cache and begin from now on. */
export function holdReads(app: INestApplicationContext): HeldReads {
  const held = holdResults();
  let count = 0;
  const { restore } = spyOnReads(app, (result) => {
    count += 1;
    return held.hold(result);
  });
  return { count: () => count, stopHolding: restore, release: () => held.release() };
}

/** @param handle gets the result of each read that begins */
function spyOnReads(
  app: INestApplicationContext,
  handle: <Result>(result: Promise<Result>) => Promise<Result>,
): { restore: () => void } {
  const barrier = app.get(CausalReadBarrier);
  const read = barrier.read.bind(barrier);
  const readAnywhere = barrier.readAnywhere.bind(barrier);
  const spies = [
    jest.spyOn(barrier, 'read').mockImplementation((work) => handle(read(work))),
    jest
      .spyOn(barrier, 'readAnywhere')
      .mockImplementation((work, after) => handle(readAnywhere(work, after))),
  ];
  return {
    restore: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/** Holds the result of the next call of this method. */
export function holdNextCall<Name extends string>(
  service: Readonly<Record<Name, unknown>>,
  method: Name,
): HeldRead {
  const spied = service as Record<string, (...given: unknown[]) => Promise<object>>;
  const call = spied[method]?.bind(service);
  const held = holdResults();
  const spy = jest.spyOn(spied, method).mockImplementation((...given) => {
    spy.mockRestore();
    return held.hold(call?.(...given) ?? Promise.resolve({}));
  });
  return held;
}

function holdResults(): HeldRead & { hold<Result>(result: Promise<Result>): Promise<Result> } {
  let isRead = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    untilRead: () => until('the held read', () => isRead),
    release,
    hold: async (result) => {
      await Promise.allSettled([result]);
      isRead = true;
      await released;
      return result;
    },
  };
}

/** Holds the events of the change stream until `release`. */
export interface HeldStream {
  /** Resolves once a change after this time is held. Heartbeats do not count. */
  untilChange(since: mongo.Timestamp): Promise<unknown>;
  untilHeartbeat(): Promise<unknown>;
  /** Holds heartbeats as well, from now on. */
  holdHeartbeats(): void;
  /** Delivers the held events in order, and holds no more. */
  release(): void;
}

/** The time of the newest operation. The stream may not have reported all earlier changes yet. */
export async function operationTime({ db }: { db: mongo.Db }): Promise<mongo.Timestamp> {
  return ((await db.command({ ping: 1 })) as { operationTime: mongo.Timestamp }).operationTime;
}

/** @param events with `changes`, heartbeats are delivered: the server keeps its lease, but no change is reported */
export function holdStream(
  app: INestApplicationContext,
  events: 'changes' | 'everything' = 'everything',
): HeldStream {
  const coherence = app.get(CacheCoherenceService);
  let isHoldingHeartbeats = events === 'everything';
  const queue: { isChange: boolean; time?: mongo.Timestamp | undefined; deliver: () => void }[] =
    [];
  const changed = coherence.changed.bind(coherence);
  const heartbeatReturned = coherence.heartbeatReturned.bind(coherence);
  const spies = [
    jest.spyOn(coherence, 'changed').mockImplementation((...report) => {
      queue.push({ isChange: true, time: report[1], deliver: () => changed(...report) });
    }),
  ];
  const heartbeatSpy = jest
    .spyOn(coherence, 'heartbeatReturned')
    .mockImplementation((...heartbeat) => {
      if (!isHoldingHeartbeats) heartbeatReturned(...heartbeat);
      else queue.push({ isChange: false, deliver: () => heartbeatReturned(...heartbeat) });
    });
  return {
    untilChange: (since) =>
      until('a change', () => queue.some(({ time }) => time?.greaterThan(since))),
    holdHeartbeats: () => {
      isHoldingHeartbeats = true;
    },
    untilHeartbeat: () => until('a heartbeat', () => queue.some(({ isChange }) => !isChange)),
    release: () => {
      for (const spy of [...spies, heartbeatSpy]) spy.mockRestore();
      for (const { deliver } of queue) deliver();
    },
  };
}

/** Makes the server hold the lease until mocks are restored, even if the machine is slow. */
export function keepLease(app: INestApplicationContext): void {
  jest.spyOn(app.get(Lease), 'isHeld').mockReturnValue(true);
}

export interface MonotonicClock {
  /** The clock stands still until `resume`. */
  pause(): void;
  resume(): void;
  advance(ms: number): void;
}

/**
 * Replaces the server's monotonic clock by one that the test can pause and advance. It stays replaced,
 * because a monotonic clock must not go back.
 */
export function controlMonotonicClock(app: INestApplicationContext): MonotonicClock {
  let ahead = 0;
  let stoppedAt: number | null = null;
  app.get(Clock).monotonic = () => stoppedAt ?? performance.now() + ahead;
  return {
    pause: () => {
      stoppedAt = performance.now() + ahead;
    },
    resume: () => {
      if (stoppedAt !== null) ahead = stoppedAt - performance.now();
      stoppedAt = null;
    },
    advance: (ms) => {
      ahead += ms;
    },
  };
}

/** Waits until the server holds the lease. */
export async function untilServing(app: INestApplicationContext): Promise<void> {
  const coherence = app.get(CacheCoherenceService);
  await until('the lease', () => coherence.isServing());
}
