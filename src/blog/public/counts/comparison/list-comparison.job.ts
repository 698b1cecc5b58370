import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { BACKGROUND } from '../../../../platform/database/client-options.js';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../../platform/jobs/background.service.js';
import { allLists, correct, wrongCounts } from './list-comparison.js';

/** The pause after a batch, as a multiple of the time that the batch took: readers get most of the database. */
const PAUSES = 4;

/**
 * Compares the counts of all lists with their blogs, and corrects them: a server of an earlier version, or an operator,
 * may have changed blogs without counting them.
 */
@Injectable()
export class ListComparison implements BackgroundJob, OnModuleInit {
  readonly name = 'list comparison';
  readonly everyMs = 3_600_000;

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  isDue(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const db = this.connection.getClient().db(this.connection.name);
    let corrected = 0;
    for await (const lists of allLists(db)) {
      if (signal.aborted) break;
      const beganAt = performance.now();
      const wrong = await wrongCounts(db, lists);
      await correct(db, wrong);
      corrected += wrong.length;
      await wait((performance.now() - beganAt) * PAUSES, undefined, { ref: false });
    }
    return corrected === 0 ? null : `counts corrected: ${corrected}`;
  }
}
