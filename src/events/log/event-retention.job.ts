import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import { BACKGROUND } from '../../platform/database/client-options.js';
import type { LoggedEvent } from './event-log.schema.js';

/** Milliseconds that the event log keeps an event. */
const RETENTION_MS = 7 * 24 * 3_600_000;

/** Largest number of events that one step removes. */
const BATCH = 1_000;

/**
 * Removes events that have been in the log for seven days. It begins with the lowest number, so that the
 * remaining numbers have no gaps. It always keeps the newest event, because the next number is derived
 * from it. A TTL index guarantees neither.
 */
@Injectable()
export class EventRetention implements BackgroundJob, OnModuleInit {
  readonly name = 'event log retention';
  readonly everyMs = 3_600_000;

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    // `expired(1)` would always be empty, because it leaves out an event that may be the newest.
    return (await this.expired(2)).length > 0;
  }

  async run(signal: AbortSignal): Promise<string | null> {
    let removed = 0;
    while (!signal.aborted) {
      const last = (await this.expired(BATCH)).at(-1);
      if (!last) break;
      removed += (await this.events().deleteMany({ _id: { $lte: last._id } })).deletedCount;
    }
    return removed === 0 ? null : `events removed: ${removed}`;
  }

  /** The oldest events that may be removed. The newest event of the log is never among them. */
  private async expired(limit: number): Promise<Pick<LoggedEvent, '_id'>[]> {
    // The database's clock decides, so the clocks of the processes need not agree.
    const isExpired = { $lte: ['$loggedAt', { $subtract: ['$$NOW', RETENTION_MS] }] };
    const oldest = await this.events()
      .find({}, { readPreference: 'primary' })
      .project<{ readonly _id: number; readonly isExpired: boolean }>({ isExpired })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    const firstKept = oldest.findIndex((event) => !event.isExpired);
    const expired = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
    // The events before the first kept event are removed. If all events that were read have expired,
    // the last of them may be the newest event of the log, so it is kept.
    return firstKept === -1 ? expired.slice(0, -1) : expired;
  }

  private events(): mongo.Collection<LoggedEvent> {
    return this.connection.getClient().db(this.connection.name).collection('events');
  }
}
