import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import { BlogHandoverService } from '../handover/blog-handover.service.js';
import { FormerAuthorService } from '../trash/former-author.service.js';
import type { AccountJob } from './account-job.schema.js';
import { ACCOUNT_JOBS, AccountJobs } from './account-jobs.service.js';

/** Does the open account jobs. Each step may be repeated, so the next process goes on where one has ended. */
@Injectable()
export class AccountJobRunner implements BackgroundJob, OnModuleInit {
  readonly name = ACCOUNT_JOBS;
  readonly everyMs = 5_000;

  constructor(
    private readonly jobs: AccountJobs,
    private readonly formerAuthors: FormerAuthorService,
    private readonly handovers: BlogHandoverService,
    private readonly background: BackgroundService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    return (await this.jobs.open()).length > 0;
  }

  /** @throws the first error, after the other jobs were done */
  async run(signal: AbortSignal): Promise<string | null> {
    const errors: unknown[] = [];
    const open = await this.jobs.open();
    for (const job of open) await this.finish(job, signal).catch((error) => errors.push(error));
    if (errors.length > 0) throw errors[0];
    return open.length === 0 ? null : `done: ${open.map(({ kind }) => kind).join(', ')}`;
  }

  private async finish({ _id }: AccountJob, signal: AbortSignal): Promise<void> {
    const onDone = (count: number) => this.jobs.progress(_id, count);
    for (;;) {
      const job = signal.aborted ? null : await this.jobs.start(_id);
      if (!job) return;
      const { kind, from } = job;
      if (kind === 'handOver') await this.handovers.continue(job, signal, onDone);
      else await this.formerAuthors.cleanUp(from, signal, onDone);
      if (!signal.aborted && (await this.jobs.finish(job))) return;
    }
  }
}
