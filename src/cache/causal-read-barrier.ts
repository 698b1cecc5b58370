import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { OPERATION_MAX_MS } from '../database/client-options.js';
import { ChangeStream } from './change-stream.js';

/** A read with this concern sees no write that a failover could still roll back. */
const MAJORITY = { level: 'majority' } as const;

/** Options of a query or an aggregation. */
export interface ReadOptions {
  readonly session: ClientSession;
  readonly readConcern: typeof MAJORITY;
  readonly maxTimeMS: number;
}

/**
 * Holds the highest operation time that this process knows of, from its own writes and from the events
 * of its change stream. Reads that fill a cache carry this time as `afterClusterTime`. So the member that
 * answers, primary or secondary, has applied every change up to it (causal consistency; MongoDB manual,
 * "Read Isolation, Consistency, and Recency" and "Read Concern", `afterClusterTime`).
 */
@Injectable()
export class CausalReadBarrier {
  private time: mongo.Timestamp | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly changeStream: ChangeStream,
  ) {}

  /** Null on a standalone, and before the first write. */
  get operationTime(): mongo.Timestamp | null {
    return this.time;
  }

  /** @param time null on a standalone, and when nothing was written */
  raise(time: mongo.Timestamp | null | undefined): void {
    if (time && (this.time === null || time.greaterThan(this.time))) this.time = time;
  }

  /**
   * Reads behind the barrier. A secondary that lags waits until it has applied the operation time. If it
   * has lost its primary it may wait forever, so the read has a time limit. The client then gets the
   * same 503 as for an unreachable database.
   *
   * @param work reads with the options that it gets
   */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return this.inSession((session) => {
      if (this.time) session.advanceOperationTime(this.time);
      // The change stream has its own MongoDB client, whose cluster time may be ahead of this client's.
      const { clusterTime } = this.changeStream;
      if (clusterTime) session.advanceClusterTime(clusterTime);
      return work({ session, readConcern: MAJORITY, maxTimeMS: OPERATION_MAX_MS });
    });
  }

  /** Writes, and raises the barrier, also if the write throws. @param work writes with this session */
  async write<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    return this.inSession(async (session) => {
      try {
        return await work(session);
      } finally {
        this.raise(session.operationTime);
      }
    });
  }

  private async inSession<Result>(
    work: (session: ClientSession) => Promise<Result>,
  ): Promise<Result> {
    const session = this.connection.getClient().startSession({ causalConsistency: true });
    try {
      return await work(session);
    } finally {
      await session.endSession();
    }
  }
}
