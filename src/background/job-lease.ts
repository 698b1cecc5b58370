import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../database/client-options.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import type { BackgroundJobRecord } from './background-job.schema.js';

/** How long a lease lasts: after a process was killed, its job rests for this time at most. */
export const LEASE_MS = 15_000;

/** The right of one process to run a job. */
export interface ClaimedRun {
  /** The name of the job. */
  readonly job: string;
  /** The random id of this run. */
  readonly run: string;
}

const fromNow = (ms: number): object => ({ $add: ['$$NOW', ms] });

/**
 * Lets one process at a time run a job, among all processes on one database. A claim is one
 * conditional write.
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
   * @param everyMs milliseconds between the beginnings of two runs at least, over all processes
   * @param isEarly whether the job may run before it is due
   * @returns null while another process runs the job, and while the job is not due
   */
  async claim(job: string, everyMs: number, isEarly = false): Promise<ClaimedRun | null> {
    const run = randomUUID();
    const isFree = {
      $and: [
        { $lte: [{ $ifNull: ['$leasedUntil', '$$NOW'] }, '$$NOW'] },
        ...(isEarly ? [] : [{ $lte: [{ $ifNull: ['$dueAt', '$$NOW'] }, '$$NOW'] }]),
      ],
    };
    const claimed = { run, leasedUntil: fromNow(LEASE_MS), dueAt: fromNow(everyMs) };
    // Decides in the update: with `isFree` in the filter, `upsert` would try to insert a second record.
    const update = [{ $replaceWith: { $cond: [isFree, { _id: job, ...claimed }, '$$ROOT'] } }];
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const record = await this.records().findOneAndUpdate({ _id: job }, update, options);
      return record?.run === run ? { job, run } : null;
    } catch (error) {
      // Another process has inserted the record at the same time, and so has claimed the job.
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** @returns false when another process has claimed the job because the lease had ended */
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
    // The collection of the driver: the one of Mongoose queues operations while disconnected.
    return this.connection.getClient().db(this.connection.name).collection('background_jobs');
  }
}
