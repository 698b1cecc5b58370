import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ClientSession, mongo } from 'mongoose';
import { Clock } from '../common/clock.js';
import { DatabaseService } from '../database/database.service.js';
import { ChangeStream, type ChangeStreamListener } from './change-stream.js';
import {
  AREAS_OF,
  changesOf,
  EVERYTHING,
  type Area,
  type Change,
  type RecordEvent,
} from './changes.js';
import { CausalReadBarrier, type ReadOptions } from './causal-read-barrier.js';
import { Lease } from './lease.js';

type Listener = (change: Change) => void;

/**
 * The one protocol of everything that is served from memory (design, section 3; docs/adr/0007): what
 * was filled before a change is forgotten or never stored, and nothing is served without the lease.
 */
@Injectable()
export class CacheCoherenceService implements OnApplicationShutdown, ChangeStreamListener {
  readonly owner: string;
  private readonly generations: Record<Area, number> = {
    articles: 0,
    lists: 0,
    keys: 0,
    accounts: 0,
  };
  private readonly listeners: Listener[] = [];
  private isWatching = false;
  /** Where there is no stream, no beat comes back: none is sent. */
  private hasStream = false;
  /** Whether a beat has come back through the present stream. */
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

  /** Whether anything may be answered from memory now. The first who asks starts the stream. */
  isServing(): boolean {
    if (!this.isWatching) this.watch();
    return this.hasStream && this.lease.isHeld();
  }

  /** Counted up with every change of the area: what began before a change is not kept after it. */
  generationOf(area: Area): number {
    return this.generations[area];
  }

  /** @param listener forgets what depends on the change */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Reads for the memory: nothing older than what this process wrote or was told of. */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return this.barrier.read(work);
  }

  /**
   * Writes, and forgets what the write concerns: before the caller is answered, and also when its
   * outcome is unknown.
   */
  async write<Result>(
    changes: readonly Change[],
    work: (session: ClientSession) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.barrier.write(work);
    } finally {
      this.forget(changes);
    }
  }

  /** The same for several writes that hold together or not at all; null on a standalone. */
  async transaction(
    changes: readonly Change[],
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
      this.forget(changes);
    }
  }

  changed(event: RecordEvent | null, time: mongo.Timestamp | undefined): void {
    this.barrier.raise(time);
    this.forget(event ? changesOf(event) : EVERYTHING);
  }

  /**
   * With its first beat a stream is known to have begun, and what was before it to be majority
   * committed. What was read earlier may miss a change that this stream does not report: one from
   * between two streams, or from just before this one, when a majority had it not yet.
   */
  heartbeatReturned(count: number, time: mongo.Timestamp | undefined): void {
    this.barrier.raise(time);
    if (!this.isFollowing) {
      this.isFollowing = true;
      this.forget(EVERYTHING);
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

  private forget(changes: readonly Change[]): void {
    for (const change of changes) {
      for (const area of AREAS_OF[change.of]) this.generations[area] += 1;
      for (const listener of this.listeners) listener(change);
    }
  }

  /** Scripts and processes that nobody asks anything never come here. */
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
