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
 * Removes events that have been in the log for seven days, from the lowest number on, so that no gap
 * arises among those that stay. The newest event stays, whatever its age: the next number follows from
 * it. A TTL index could do neither.
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

  /** The oldest events whose time is over. The newest event of all is never among them. */
  private async expired(limit: number): Promise<Pick<LoggedEvent, '_id'>[]> {
    // The database's clock decides, as in other jobs that remove what is old.
    const isExpired = { $lte: ['$loggedAt', { $subtract: ['$$NOW', RETENTION_MS] }] };
    const oldest = await this.events()
      .find({}, { readPreference: 'primary' })
      .project<{ readonly _id: number; readonly isExpired: boolean }>({ isExpired })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    const kept = oldest.findIndex((event) => !event.isExpired);
    const expired = kept === -1 ? oldest : oldest.slice(0, kept);
    // Events up to the first kept one are removed. If no kept one was read, the last event may be
    // the newest of all, and stays.
    return kept === -1 ? expired.slice(0, -1) : expired;
  }

  private events(): mongo.Collection<LoggedEvent> {
    // The driver's collection is used, because Mongoose's queues operations while disconnected.
    return this.connection.getClient().db(this.connection.name).collection('events');
  }
}
