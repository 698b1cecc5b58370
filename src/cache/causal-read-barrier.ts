import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { OPERATION_MAX_MS } from '../database/client-options.js';
import { ChangeStream } from './change-stream.js';

/** What could still be rolled back is not read. */
const MAJORITY = { level: 'majority' } as const;

/** Options of a query or an aggregation. */
export interface ReadOptions {
  readonly session: ClientSession;
  readonly readConcern: typeof MAJORITY;
  readonly maxTimeMS: number;
}

/**
 * The highest operation time that this process knows of: of its own writes, and of the events of its
 * change stream. Reads that fill a cache carry it as `afterClusterTime`, so that whichever member
 * answers has applied everything up to it (causal consistency; MongoDB manual, "Read Isolation,
 * Consistency, and Recency" and "Read Concern", `afterClusterTime`).
 */
@Injectable()
export class CausalReadBarrier {
  private time: mongo.Timestamp | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly changeStream: ChangeStream,
  ) {}

  /** @param time null where there is none: on a standalone, and when nothing was written */
  raise(time: mongo.Timestamp | null | undefined): void {
    if (time && (this.time === null || time.greaterThan(this.time))) this.time = time;
  }

  /**
   * A secondary that lags waits until it has applied the operation time. It may have lost its primary
   * and never get there, so the read is limited in time. Its error is answered like that of an
   * unreachable database.
   *
   * @param work reads with these options; it sees everything up to the barrier, on any member
   */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return this.inSession((session) => {
      if (this.time) session.advanceOperationTime(this.time);
      // The change stream has a client of its own. Its cluster time may be ahead of this client's.
      const { clusterTime } = this.changeStream;
      if (clusterTime) session.advanceClusterTime(clusterTime);
      return work({ session, readConcern: MAJORITY, maxTimeMS: OPERATION_MAX_MS });
    });
  }

  /** @param work writes with this session; a write that throws raises the barrier as well */
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
