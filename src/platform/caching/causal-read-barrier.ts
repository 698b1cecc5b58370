import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, Model, mongo } from 'mongoose';
import { Clock } from '../clock.js';
import { OPERATION_MAX_MS } from '../database/client-options.js';
import { ChangeStream } from './change-stream/change-stream.js';

/** A read with this concern sees no write that a failover could still roll back. */
const MAJORITY = { level: 'majority' } as const;
const LOCAL = { level: 'local' } as const;

/** Options of a query or an aggregation. */
export interface ReadOptions {
  readonly session: ClientSession;
  readonly readConcern: typeof MAJORITY | typeof LOCAL;
  readonly maxTimeMS: number;
}

/** Lets secondaries answer while there is no primary. */
const PRIMARY_PREFERRED = { readPreference: 'primaryPreferred' } as const;

/** Options of a query, an aggregation or a command that secondaries may answer. */
export type PublicReadOptions = ReadOptions & typeof PRIMARY_PREFERRED;

/**
 * What a read must see: all changes up to the operation time `time`. `clusterTime` is the cluster time that
 * MongoDB signed and reported together with `time`.
 */
export interface ReadAfter {
  readonly time: mongo.Timestamp;
  readonly clusterTime: mongo.ClusterTime | undefined;
}

/** The connection of each session that does not belong to the default connection. */
const otherConnections = new WeakMap<ClientSession, Connection>();

/** Returns the model on the connection that the session of these options belongs to. */
export function modelFor<Stored>(model: Model<Stored>, { session }: ReadOptions): Model<Stored> {
  // Mongoose compiles the model for that connection at the first call.
  return otherConnections.get(session)?.model<Stored>(model.modelName, model.schema) ?? model;
}

/**
 * Runs a plain command, such as a `find` whose first batch holds the whole result. It avoids a
 * Mongoose query and a driver cursor, which together would take as long as reading the items.
 *
 * @param connection the default connection; used unless the session belongs to another one
 */
export async function runCommand<Answer>(
  connection: Connection,
  command: object,
  { session, readConcern, maxTimeMS, readPreference }: ReadOptions & Partial<PublicReadOptions>,
): Promise<Answer> {
  const { db } = otherConnections.get(session) ?? connection;
  if (!db) throw new Error('the database was asked before it was connected to');
  // The read concern is copied, because the driver adds the operation time to the object that it gets.
  const bounded = { ...command, readConcern: { ...readConcern }, maxTimeMS };
  const options = { session, ...(readPreference && { readPreference }) };
  return (await db.command(bounded, options)) as Answer;
}

/**
 * Holds the highest operation time that this process knows of, from its own writes and from the events
 * of its change stream. Reads that fill a cache carry this time as `afterClusterTime`. So the member that
 * answers, primary or secondary, has applied every change up to this time (causal consistency; MongoDB manual,
 * "Read Isolation, Consistency, and Recency" and "Read Concern", `afterClusterTime`).
 */
@Injectable()
export class CausalReadBarrier {
  private time: mongo.Timestamp | null = null;
  private clusterTime: mongo.ClusterTime | undefined;
  private wroteAt = -Infinity;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly changeStream: ChangeStream,
    private readonly clock: Clock,
  ) {}

  /** Null on a standalone, and until the first write or the first event of the change stream. */
  get operationTime(): mongo.Timestamp | null {
    return this.time;
  }

  /** When the last write of this process ended, in monotonic milliseconds. */
  get lastWriteAt(): number {
    return this.wroteAt;
  }

  /**
   * Raises the barrier to this operation time, unless it is at a later one already.
   *
   * @param time null or undefined on a standalone, or if nothing was written: the barrier does not change
   */
  raise(time: mongo.Timestamp | null | undefined): void {
    if (time && (this.time === null || time.greaterThan(this.time))) this.time = time;
  }

  /**
   * Raises the barrier to the operation time of a write of this process.
   *
   * @param session null on a standalone
   */
  noteWrite(session: ClientSession | null): void {
    this.wroteAt = this.clock.monotonic();
    this.clusterTime = session?.clusterTime ?? this.clusterTime;
    this.raise(session?.operationTime);
  }

  /**
   * The read sees every change up to the operation time of the barrier. A secondary that lags waits until it has
   * applied that time. A secondary that has lost its primary might wait forever, so the read has a time limit.
   * When the limit passes, the client gets the same 503 as for an unreachable database.
   *
   * @param work reads with the options that it gets
   */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return inSession(this.connection, (session) => {
      this.advance(session);
      return work({ session, readConcern: MAJORITY, maxTimeMS: OPERATION_MAX_MS });
    });
  }

  /**
   * Does what `read` does, but a secondary may answer while there is no primary.
   *
   * @param after what the read must see in addition to the changes up to the barrier
   */
  async readAnywhere<Result>(
    work: (options: PublicReadOptions) => Promise<Result>,
    after: ReadAfter | null = null,
  ): Promise<Result> {
    return inSession(this.connection, (session) => {
      this.advance(session, after);
      const options = { session, readConcern: MAJORITY, maxTimeMS: OPERATION_MAX_MS };
      return work({ ...options, ...PRIMARY_PREFERRED });
    });
  }

  /**
   * Reads from one member, including writes that a majority does not have. The read does not wait for the
   * operation time of the barrier. After a write, the barrier is at the time of the primary's newest operation. If
   * the primary has failed, perhaps no other member will ever have that operation.
   *
   * @param member a connection to this member alone
   * @param after the newest operation that the member has reported; the read sees everything up to it
   */
  async readFrom<Result>(
    member: Connection,
    work: (options: PublicReadOptions) => Promise<Result>,
    after: ReadAfter,
    maxTimeMS: number,
  ): Promise<Result> {
    return inSession(member, (session) => {
      otherConnections.set(session, member);
      session.advanceOperationTime(after.time);
      this.advanceClusterTime(session, after);
      return work({ session, readConcern: LOCAL, maxTimeMS, ...PRIMARY_PREFERRED });
    });
  }

  /**
   * Writes, and raises the barrier even if the write throws.
   *
   * @param work writes with the session that it gets
   */
  async write<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    return inSession(this.connection, async (session) => {
      try {
        return await work(session);
      } finally {
        this.noteWrite(session);
      }
    });
  }

  private advance(session: ClientSession, after: ReadAfter | null = null): void {
    for (const time of [this.time, after?.time]) if (time) session.advanceOperationTime(time);
    this.advanceClusterTime(session, after);
  }

  private advanceClusterTime(session: ClientSession, after: ReadAfter | null): void {
    // A member refuses an `afterClusterTime` that is ahead of the cluster time that the member knows. So the
    // session also gets the signed cluster times that other MongoDB clients of this process have received.
    const known = [this.changeStream.clusterTime, this.clusterTime, after?.clusterTime];
    for (const time of known) if (time) session.advanceClusterTime(time);
  }
}

async function inSession<Result>(
  connection: Connection,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const session = connection.getClient().startSession({ causalConsistency: true });
  try {
    return await work(session);
  } finally {
    await session.endSession();
  }
}
