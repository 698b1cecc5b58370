import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ClientSession, mongo } from 'mongoose';
import {
  type CacheDependency,
  type CachedCollection,
  type CacheSubject,
  type RecordEvent,
} from '../common/cache-subject.js';
import { Clock } from '../common/clock.js';
import { DatabaseService } from '../database/database.service.js';
import { CausalReadBarrier, type ReadOptions } from './causal-read-barrier.js';
import { ChangeStream, type ChangeStreamListener } from './change-stream.js';
import { Lease } from './lease.js';

type Listener = (change: CacheDependency) => void;

/**
 * Keeps every cache of this process coherent with the database (docs/adr/0007). Caches are told of
 * each change of what they depend on, and serve nothing while this process does not hold the lease.
 */
@Injectable()
export class CacheCoherenceService implements OnApplicationShutdown, ChangeStreamListener {
  readonly owner: string;
  private readonly listeners = new Map<CacheSubject, Listener[]>();
  private isWatching = false;
  /** False on a standalone, which has no change streams: no heartbeat could come back. */
  private hasStream = false;
  /** Whether a heartbeat has come back through the present stream. */
  private isFollowing = false;

  constructor(
    private readonly barrier: CausalReadBarrier,
    private readonly lease: Lease,
    private readonly changeStream: ChangeStream,
    private readonly database: DatabaseService,
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

  /** Reads what may be cached: nothing older than what this process has written or was told of. */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return this.barrier.read(work);
  }

  /**
   * Writes, and invalidates what caches hold of the changed records: before the caller has its answer,
   * and also when the write throws, because it may have been carried out all the same.
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

  /** The same for a transaction. @param work is given null on a standalone, which has none */
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
      this.barrier.raise((used as ClientSession | null)?.operationTime);
      this.invalidate(changes);
    }
  }

  changed(event: RecordEvent | null, time: mongo.Timestamp | undefined): void {
    this.barrier.raise(time);
    if (event) this.invalidate(this.changesBy(event));
    else this.invalidateAll();
  }

  /**
   * The first heartbeat that comes back through a stream proves that the stream has begun, and that
   * everything before the heartbeat is majority committed. What was cached until then may miss a change
   * that no stream reports: one between two streams, or one that a majority did not have yet when this
   * stream began.
   */
  heartbeatReturned(count: number, time: mongo.Timestamp | undefined): void {
    this.barrier.raise(time);
    if (!this.isFollowing) {
      this.isFollowing = true;
      this.invalidateAll();
    }
    this.lease.returned(count);
  }

  ended(): void {
    this.isFollowing = false;
    this.lease.revoke();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isFollowing = false;
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

  /** Only once somebody asks: scripts, and processes without requests, open no stream. */
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
