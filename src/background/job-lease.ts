import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../database/client-options.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import type { BackgroundJobRecord } from './background-job.schema.js';

/** A process that was killed keeps a job from the others for so long at most. */
export const LEASE_MS = 15_000;

/** The right of one process to run a job. */
export interface ClaimedRun {
  readonly job: string;
  readonly run: string;
}

const fromNow = (ms: number): object => ({ $add: ['$$NOW', ms] });

/**
 * Claims jobs over all processes on one database, each by one conditional write.
 *
 * Every time is `$$NOW`, the clock of the MongoDB primary, so the clocks of the processes need not
 * agree. After a failover it is the clock of another member: a lease is then longer or shorter by the
 * difference between the two. A process that was suspended may also go on after its lease has ended.
 * Two runs at a time are therefore rare, not impossible, and every job has to be idempotent.
 */
@Injectable()
export class JobLease {
  constructor(@InjectConnection(BACKGROUND) private readonly connection: Connection) {}

  /**
   * @param everyMs the least time between the beginnings of two runs, over all processes
   * @returns null while another process runs the job, and when it is not due
   */
  async claim(job: string, everyMs: number): Promise<ClaimedRun | null> {
    const run = randomUUID();
    const isFree = {
      $and: [
        { $lte: [{ $ifNull: ['$leasedUntil', '$$NOW'] }, '$$NOW'] },
        { $lte: [{ $ifNull: ['$dueAt', '$$NOW'] }, '$$NOW'] },
      ],
    };
    const claimed = { run, leasedUntil: fromNow(LEASE_MS), dueAt: fromNow(everyMs) };
    const update = Object.fromEntries(
      Object.entries(claimed).map(([field, value]) => [
        field,
        { $cond: [isFree, value, `$${field}`] },
      ]),
    );
    try {
      const record = await this.records().findOneAndUpdate({ _id: job }, [{ $set: update }], {
        upsert: true,
        returnDocument: 'after',
      });
      return record?.run === run ? { job, run } : null;
    } catch (error) {
      // Another process has inserted the record at the same time, and so has claimed the job.
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** @returns false when the lease had ended and another process has claimed the job */
  async renew(claimed: ClaimedRun): Promise<boolean> {
    return this.leaseFor(claimed, LEASE_MS);
  }

  async release(claimed: ClaimedRun): Promise<void> {
    await this.leaseFor(claimed, 0);
  }

  private async leaseFor({ job, run }: ClaimedRun, ms: number): Promise<boolean> {
    const { matchedCount } = await this.records().updateOne({ _id: job, run }, [
      { $set: { leasedUntil: fromNow(ms) } },
    ]);
    return matchedCount === 1;
  }

  private records(): mongo.Collection<BackgroundJobRecord> {
    return this.connection.getClient().db(this.connection.name).collection('background_jobs');
  }
}
