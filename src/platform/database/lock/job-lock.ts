import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../client-options.js';
import { isDuplicateKey } from '../is-duplicate-key.js';
import type { BackgroundJobRecord } from './background-job.schema.js';
import { HeldLock, LOCK_MS } from './held-lock.js';

/** Name of this process in its locks. A process that waits for the lock logs this name. */
const HOLDER = `process ${process.pid} on ${hostname()}`;

/** The right of one process to run a job. */
export interface ClaimedRun {
  /** The name of the job. */
  readonly job: string;
  /** The random id of this run. */
  readonly run: string;
  /** When the claim was sent, on the clock of `performance.now()`. */
  readonly claimedAt: number;
}

const fromNow = (ms: number): object => ({ $add: ['$$NOW', ms] });

/**
 * Ensures that only one process at a time runs a job or the migrations, among all processes that share a
 * database. A claim is one conditional write.
 *
 * All times are taken from `$$NOW`, the clock of the MongoDB primary, so the clocks of the processes need not
 * agree. After a failover the time comes from another member: a lock is then longer or shorter by the
 * difference between the two clocks. A process that was suspended may also go on after its lock has ended.
 * Two runs at a time are therefore rare but possible, and every job has to be idempotent.
 */
@Injectable()
export class JobLock {
  constructor(@InjectConnection(BACKGROUND) private readonly connection: Connection) {}

  /**
   * Claims a job for a new run.
   *
   * @param everyMs minimum number of milliseconds between the starts of two runs, across all processes
   * @param isEarly whether the job may run before it is due
   * @returns null while another process runs the job, and while the job is not due
   */
  async claim(job: string, everyMs: number, isEarly = false): Promise<ClaimedRun | null> {
    const run = randomUUID();
    const claimedAt = performance.now();
    const isFree = {
      $and: [
        { $lte: [{ $ifNull: ['$leasedUntil', '$$NOW'] }, '$$NOW'] },
        ...(isEarly ? [] : [{ $lte: [{ $ifNull: ['$dueAt', '$$NOW'] }, '$$NOW'] }]),
      ],
    };
    const holder = { $literal: HOLDER };
    const lockFields = { run, holder, leasedUntil: fromNow(LOCK_MS), dueAt: fromNow(everyMs) };
    // The update decides whether the lock is free: with `isFree` in the filter, `upsert` would try
    // to insert a second record.
    const update = [{ $replaceWith: { $cond: [isFree, { _id: job, ...lockFields }, '$$ROOT'] } }];
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const record = await this.records().findOneAndUpdate({ _id: job }, update, options);
      return record?.run === run ? { job, run, claimedAt } : null;
    } catch (error) {
      // Another process inserted the record at the same time and thereby claimed the job.
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** Runs the work under a claimed lock. Renews the lock until the work ends, and then releases it. */
  async hold<Result>(
    claimed: ClaimedRun,
    work: (lock: HeldLock) => Promise<Result>,
  ): Promise<Result> {
    const held = new HeldLock(claimed.job, claimed.claimedAt, () => this.renew(claimed));
    try {
      return await work(held);
    } finally {
      held.end();
      // A failed release is ignored: the lock ends by itself, and an error of the work must not be hidden.
      await this.release(claimed).catch(() => undefined);
    }
  }

  /** The process that has the lock, such as `process 4711 on web-1`; null if none has it. */
  async holderOf(job: string): Promise<string | null> {
    const filter = { _id: job, $expr: { $gt: ['$leasedUntil', '$$NOW'] } };
    const record = await this.records().findOne(filter);
    return record && (record.holder ?? 'another process');
  }

  /** @returns false when the lock had ended and another process has claimed the job */
  async renew(claimed: ClaimedRun): Promise<boolean> {
    return this.endLockIn(claimed, LOCK_MS);
  }

  async release(claimed: ClaimedRun): Promise<void> {
    await this.endLockIn(claimed, 0);
  }

  /** Makes the lock end in `ms` milliseconds, if this run is still the latest. */
  private async endLockIn({ job, run }: ClaimedRun, ms: number): Promise<boolean> {
    const { matchedCount } = await this.records().updateOne({ _id: job, run }, [
      { $set: { leasedUntil: fromNow(ms) } },
    ]);
    return matchedCount === 1;
  }

  private records(): mongo.Collection<BackgroundJobRecord> {
    return this.connection.getClient().db(this.connection.name).collection('background_jobs');
  }
}
