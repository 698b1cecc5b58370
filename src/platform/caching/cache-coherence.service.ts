import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ClientSession, mongo } from 'mongoose';
import {
  type CacheDependency,
  type CachedCollection,
  type CacheSubject,
  type RecordEvent,
} from './cache-subject.js';
import { Clock } from '../clock.js';
import { DatabaseService } from '../database/database.service.js';
import {
  CausalReadBarrier,
  type PublicReadOptions,
  type ReadOptions,
} from './causal-read-barrier.js';
import { ChangeStream, type ChangeStreamListener } from './change-stream/change-stream.js';
import { FailoverReads } from './failover/failover-reads.js';
import { Lease } from './lease.js';

type Listener = (change: CacheDependency) => void;

/**
 * Milliseconds after a read from a single member in which answers may still contain its result.
 * No request takes longer than this.
 */
const ROLLBACK_RISK_MS = 5_000;

/** The figures of a cache for the metrics. */
export interface CountedCache {
  readonly name: string;
  /** Number of values that the cache has served since the start of the process. */
  readonly hits: number;
  /** Number of reads that were begun to fill the cache, since the start of the process. */
  readonly misses: number;
  /** Number of entries that the cache holds now. */
  readonly size: number;
  /** Size of the entries in bytes; 0 for a cache that is bounded by its number of entries. */
  readonly bytes: number;
}

/**
 * Keeps every cache of this process coherent with the database (docs/adr/0007). It notifies caches of
 * each change of their subjects. Caches serve only while this process holds the lease, except for entries
 * younger than the `graceMs` of their cache.
 */
@Injectable()
export class CacheCoherenceService implements OnApplicationShutdown, ChangeStreamListener {
  readonly owner: string;
  /** The caches that this service keeps coherent. Each cache adds itself. */
  readonly caches: CountedCache[] = [];
  private readonly listeners = new Map<CacheSubject, Listener[]>();
  private isWatching = false;
  /** False on a standalone, which has no change streams, and until the kind of deployment is known. */
  private hasStream = false;
  /** Whether a heartbeat has returned through the current change stream. */
  private hasHeartbeatReturned = false;

  constructor(
    private readonly barrier: CausalReadBarrier,
    private readonly lease: Lease,
    private readonly changeStream: ChangeStream,
    private readonly database: DatabaseService,
    private readonly failover: FailoverReads,
    readonly clock: Clock,
  ) {
    this.owner = lease.owner;
  }

  /** The collections that caches depend on. */
  get collections(): readonly CachedCollection[] {
    return [...new Set([...this.listeners.keys()].map(({ collection }) => collection))];
  }

  /** Whether caches may serve now. The first call opens the change stream. */
  isServing(): boolean {
    if (!this.isWatching) this.watch();
    return this.hasStream && this.lease.isHeld();
  }

  /**
   * Calls the listener after every change of these subjects, whether this process or another one made it.
   *
   * @throws Error for the first listener of a subject once the change stream is open, because the stream may
   *   not follow the collection of the subject
   */
  onChange(subjects: readonly CacheSubject[], listener: Listener): void {
    for (const subject of subjects) {
      const listeners = this.listeners.get(subject);
      if (listeners) {
        listeners.push(listener);
      } else if (this.isWatching) {
        throw new Error(`"${subject.name}" is cached too late: the change stream is open already`);
      } else {
        this.listeners.set(subject, [listener]);
      }
    }
  }

  /**
   * Reads for a cache, or for a decision about a write. The read sees every change that this process has
   * made or that its change stream has reported, and no change that a failover could undo.
   */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return this.barrier.read(work);
  }

  /**
   * Reads what any holder of an API key may read. It does what `read` does, but also while there is no
   * primary. A failover may undo the writes that such a read sees: see `mayBeRolledBack`.
   */
  async publicRead<Result>(work: (options: PublicReadOptions) => Promise<Result>): Promise<Result> {
    return this.failover.read(work, () => this.isServing());
  }

  /**
   * Whether a value may contain a write that a failover can undo. No cache may store such a value.
   *
   * @param time when the read of the value began, in monotonic milliseconds; now if left out
   */
  mayBeRolledBack(time = this.clock.monotonic()): boolean {
    return time - this.failover.lastAnswerAt < ROLLBACK_RISK_MS;
  }

  /** The highest operation time that this process knows of; null on a standalone, and until it knows one. */
  get operationTime(): mongo.Timestamp | null {
    return this.barrier.operationTime;
  }

  /** Raises the causal read barrier: later reads see every change up to this operation time. */
  raise(time: mongo.Timestamp | null): void {
    this.barrier.raise(time);
  }

  /**
   * Writes, and invalidates the cached values of the changed records before it returns. It invalidates them
   * even if the write throws, because MongoDB may have carried out the write nevertheless.
   */
  async write<Result>(
    changes: readonly CacheDependency[],
    work: (session: ClientSession) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.barrier.write(work);
    } finally {
      this.invalidate(changes);
    }
  }

  /**
   * Runs `work` in a transaction, and invalidates the cached values as `write` does.
   *
   * @param work gets null instead of a session on a standalone, which has no transactions
   */
  async transaction(
    changes: readonly CacheDependency[],
    work: (session: ClientSession | null) => Promise<void>,
  ): Promise<void> {
    let usedSession: ClientSession | null = null;
    try {
      await this.database.transaction((session) => {
        usedSession = session;
        return work(session);
      });
    } finally {
      this.barrier.noteWrite(usedSession);
      this.invalidate(changes);
    }
  }

  changed(event: RecordEvent | null, time: mongo.Timestamp | undefined): void {
    this.barrier.raise(time);
    if (event) this.invalidate(this.dependenciesChangedBy(event));
    else this.invalidateAll();
  }

  /**
   * The first heartbeat that returns through a stream proves two things: the stream has begun, and every
   * change before the heartbeat is majority committed. Entries cached before that moment may miss a
   * change that no stream reports: one made between two streams, or one that a majority did not have yet
   * when this stream began. So all entries are removed.
   */
  heartbeatReturned(count: number, time: mongo.Timestamp | undefined): void {
    this.barrier.raise(time);
    if (!this.hasHeartbeatReturned) {
      this.hasHeartbeatReturned = true;
      this.invalidateAll();
    }
    this.lease.returned(count);
  }

  ended(): void {
    this.hasHeartbeatReturned = false;
    this.lease.revoke();
  }

  async onApplicationShutdown(): Promise<void> {
    this.hasHeartbeatReturned = false;
    await this.changeStream.close();
    await this.lease.retire();
  }

  private dependenciesChangedBy(event: RecordEvent): CacheDependency[] {
    const changes = [...this.listeners.keys()].map((subject) => subject.changeBy(event));
    return changes.filter((change) => change !== null);
  }

  private invalidateAll(): void {
    this.invalidate([...this.listeners.keys()].map(({ all }) => all));
  }

  private invalidate(changes: readonly CacheDependency[]): void {
    for (const change of changes) {
      for (const listener of this.listeners.get(change.subject) ?? []) listener(change);
    }
  }

  /**
   * Opens the change stream. `isServing` calls this at its first use, and again if the kind of deployment
   * could not be found out. So scripts and processes without requests open no stream.
   */
  private watch(): void {
    this.isWatching = true;
    this.database.isReplicaSet().then(
      (isReplicaSet) => {
        this.hasStream = isReplicaSet;
        if (isReplicaSet) this.changeStream.open(this);
      },
      () => {
        this.isWatching = false;
      },
    );
  }
}
