import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import { BlogPurgeService } from './blog-purge.service.js';

/** Purges the blogs that have been in the trash for `TRASH_KEEP`, and finishes interrupted purges. */
@Injectable()
export class PurgeJob implements BackgroundJob, OnModuleInit {
  readonly name = 'trash purge';
  readonly everyMs = 60_000;

  constructor(
    private readonly purges: BlogPurgeService,
    private readonly background: BackgroundService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  isDue(): Promise<boolean> {
    return this.purges.isDue();
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const removed = await this.purges.purgeDue(signal);
    return removed === 0 ? null : `blogs removed: ${removed}`;
  }
}
