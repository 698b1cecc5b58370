import { Injectable, type OnModuleInit } from '@nestjs/common';
import { BackgroundService, type BackgroundJob } from '../../background/background.service.js';
import { MigrationService } from '../../database/migrations/migration.service.js';
import { BlogPurgeService } from './blog-purge.service.js';

/** Purges what has been in the trash for `TRASH_KEEP`. */
@Injectable()
export class PurgeJob implements BackgroundJob, OnModuleInit {
  readonly name = 'trash purge';
  readonly everyMs = 60_000;

  constructor(
    private readonly purges: BlogPurgeService,
    private readonly background: BackgroundService,
    private readonly migrations: MigrationService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  /** False before the migrations have run: without their indexes, the queries would scan every blog. */
  async isDue(): Promise<boolean> {
    return (await this.migrations.pending()).length === 0 && (await this.purges.isDue());
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const removed = await this.purges.purgeDue(signal);
    return removed === 0 ? null : `blogs removed: ${removed}`;
  }
}
