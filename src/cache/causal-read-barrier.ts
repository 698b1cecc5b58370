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
 * The highest operation time that this process knows of: of its own writes, and of what its change
 * stream has reported. What is read for the memory must not be older (design, section 3).
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
   * Of a member that lags and has lost its primary, what is beyond the barrier may never come: whoever
   * asks is told to try again, as when there is no member at all.
   *
   * @param work reads with these options; it sees everything up to the barrier, on any member
   */
  async read<Result>(work: (options: ReadOptions) => Promise<Result>): Promise<Result> {
    return this.inSession((session) => {
      if (this.time) session.advanceOperationTime(this.time);
      // The stream has a client of its own, and may have heard of a time that this one has not.
      const { clusterTime } = this.changeStream;
      if (clusterTime) session.advanceClusterTime(clusterTime);
      return work({ session, readConcern: MAJORITY, maxTimeMS: OPERATION_MAX_MS });
    });
  }

  /** @param work writes with this session; the barrier is raised also when its outcome is unknown */
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
