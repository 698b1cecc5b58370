import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { isDuplicateKey } from '../../platform/database/is-duplicate-key.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { BackgroundService } from '../../platform/jobs/background.service.js';
import {
  ACCOUNT_JOB_KINDS,
  AccountJob,
  IS_OPEN,
  type AccountJobKind,
} from './account-job.schema.js';
import { JobNotFoundError } from './blog-jobs.errors.js';
import { toJobView, type JobView } from './job.view.js';

/** The name of the background job that does the work. */
export const ACCOUNT_JOBS = 'account jobs';

/** Stores the jobs on all blogs of an author, and how far they are. AccountJobRunner does the work. */
@Injectable()
export class AccountJobs {
  constructor(
    @InjectModel(AccountJob.name) private readonly jobs: Model<AccountJob>,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks for a job. An open job for the same accounts is asked for again, and then covers what was written before
   * this call.
   *
   * @param transaction the caller wakes the runner after a transaction
   */
  async add(
    job: Pick<AccountJob, 'kind' | 'from' | 'to' | 'admin'>,
    transaction: ClientSession | null = null,
  ): Promise<AccountJob> {
    const { admin, ...key } = job;
    const update = {
      $set: { requestedAt: this.clock.now(), ...(admin ? { admin } : {}) },
      $inc: { requests: 1 },
      $setOnInsert: { count: 0 },
    };
    const options = {
      upsert: true,
      returnDocument: 'after',
      ...inTransaction(transaction),
    } as const;
    try {
      const added = await this.jobs
        .findOneAndUpdate({ ...key, ...IS_OPEN }, update, options)
        .lean<AccountJob>();
      if (!transaction) this.wake();
      return added;
    } catch (error) {
      // Another request has inserted the job at the same time.
      if (!isDuplicateKey(error) || transaction) throw error;
      return this.add(job);
    }
  }

  wake(): void {
    this.background.wake(ACCOUNT_JOBS);
  }

  /** @throws JobNotFoundError */
  async get(id: Types.ObjectId): Promise<JobView> {
    const job = await this.jobs.findOne({ _id: id }).read('primary').lean<AccountJob | null>();
    if (!job) throw new JobNotFoundError();
    return toJobView(job);
  }

  /** The open jobs, deletions first. */
  async open(kinds: readonly AccountJobKind[] = ACCOUNT_JOB_KINDS): Promise<AccountJob[]> {
    return this.jobs
      .find({ kind: { $in: kinds }, ...IS_OPEN })
      .read('primary')
      .lean<AccountJob[]>();
  }

  /**
   * The deleted accounts whose blogs are not cleaned up yet. Reads from the primary: from the answer to the deletion
   * on, nobody may find what the account has not published.
   */
  async leaving(): Promise<Types.ObjectId[]> {
    return (await this.open(['accountDeletion'])).map(({ from }) => from);
  }

  /** Notes that the job runs. @returns its record; null when it is not open any more */
  async start(id: Types.ObjectId): Promise<AccountJob | null> {
    const startedAt = { $ifNull: ['$startedAt', this.clock.now()] };
    return this.jobs
      .findOneAndUpdate({ _id: id, ...IS_OPEN }, [{ $set: { startedAt } }], {
        ...BY_ID,
        updatePipeline: true,
        returnDocument: 'after',
      })
      .lean<AccountJob | null>();
  }

  /** Adds to the number of blogs that are done. */
  async progress(id: Types.ObjectId, count: number): Promise<void> {
    await this.jobs.updateOne({ _id: id }, { $inc: { count } });
  }

  /** Ends the job unless it was asked for again since `start`. @returns whether it has ended */
  async finish({ _id, requests }: AccountJob): Promise<boolean> {
    const { matchedCount } = await this.jobs.updateOne(
      { _id, requests, ...IS_OPEN },
      { $set: { finishedAt: this.clock.now() }, $unset: { isOpen: 1 } },
      BY_ID,
    );
    return matchedCount === 1;
  }
}
