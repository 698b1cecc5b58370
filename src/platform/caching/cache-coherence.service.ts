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
 * Milliseconds that a request may take: until then its answer may hold what it has read from one
 * member alone.
 */
const UNCERTAIN_MS = 5_000;

/** Counts of a cache since the start of the process. */
export interface CountedCache {
  readonly name: string;
  readonly hits: number;
  /** Number of reads that were to fill the cache. */
  readonly misses: number;
  /** Number of entries in the cache. */
  readonly size: number;
  /** Size in bytes; 0 for a cache that is bounded by its number of entries. */
  readonly bytes: number;
}

/**
 * Keeps every cache of this process coherent with the database (docs/adr/0007). It tells caches of each
 * change of their subjects. Caches serve only while this process holds the lease.
 */
@Injectable()
export class CacheCoherenceService implements OnApplicationShutdown, ChangeStreamListener {
  readonly owner: string;
  /** The caches that this service keeps coherent; each adds itself. */
  readonly caches: CountedCache[] = [];
  private readonly listeners = new Map<CacheSubject, Listener[]>();
  private isWatching = false;
  /** False on a standalone, which has no change streams. */
  private hasStream = false;
  /** Whether a heartbeat has returned through the present change stream. */
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
   * Tells the listener of every change of these subjects, by this process and by others.
   *
   * @throws Error for a new subject once the change stream is open: it would not follow its collection
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
   * Reads for a cache, or for a decision about a write. The read sees every change that this
   * process has made or been told of, and none that a failover could undo.
   */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return this.barrier.read(work);
  }

  /**
   * Does what `read` does, for what any holder of an API key may read: it also goes on while there
   * is no primary.
   */
  async publicRead<Result>(work: (options: PublicReadOptions) => Promise<Result>): Promise<Result> {
    return this.failover.read(work, () => this.isServing());
  }

  /**
   * Whether a value that was read since then may be undone by a failover, so that nothing may store
   * it.
   *
   * @param time monotonic milliseconds; now when left out
   */
  mayBeRolledBack(time = this.clock.monotonic()): boolean {
    return time - this.failover.lastAnswerAt < UNCERTAIN_MS;
  }

  /** The highest operation time that this process knows of; null on a standalone. */
  get operationTime(): mongo.Timestamp | null {
    return this.barrier.operationTime;
  }

  /** Tells of an operation time: later reads see every change up to it. */
  raise(time: mongo.Timestamp | null): void {
    this.barrier.raise(time);
  }

  /**
   * Writes, and then invalidates the cached values of the changed records before it returns, even
   * if the write throws: MongoDB may have carried it out nevertheless.
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
   * Does what `write` does, for a transaction.
   *
   * @param work gets null on a standalone, which has no transactions
   */
  async transaction(
    changes: readonly CacheDependency[],
    work: (session: ClientSession | null) => Promise<void>,
  ): Promise<void> {
    let used: ClientSession | null = null;
    try {
      await this.database.transaction((session) => {
        used = session;
        return work(session);
      });
    } finally {
      this.barrier.wrote(used);
      this.invalidate(changes);
    }
  }

  changed(event: RecordEvent | null, time: mongo.Timestamp | undefined): void {
    this.barrier.raise(time);
    if (event) this.invalidate(this.changesBy(event));
    else this.invalidateAll();
  }

  /**
   * The first heartbeat that returns through a stream proves two things: the stream has begun, and every
   * change before the heartbeat is majority committed. Entries cached before that moment may miss a
   * change that no stream reports, because it happened between two streams, or because a majority did
   * not have it yet when this stream began. So they are all removed.
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

  private changesBy(event: RecordEvent): CacheDependency[] {
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

  /** Opens the stream at the first use, so that scripts and processes without requests open none. */
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
