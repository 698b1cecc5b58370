import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import { BackgroundService, type BackgroundJob } from '../../background/background.service.js';
import { BACKGROUND } from '../../database/client-options.js';
import { isOnlyDuplicateKeys } from '../../database/is-duplicate-key.js';
import { MigrationService } from '../../database/migrations/migration.service.js';
import { HAS_EVENTS, EVENTS_INDEX } from '../blog.schema.js';
import type { BlogEvent, StoredBlogEvent } from './blog-event.schema.js';

/** Blogs whose events are stored together. */
const BATCH = 200;

/** A blog, or a tombstone, with the events that the relay stores. */
export interface BlogWithEvents {
  readonly _id: Types.ObjectId;
  readonly events: readonly BlogEvent[];
  readonly removed?: true;
}

/**
 * Moves the events of blogs from their documents to `blog_events` (docs/adr/0009).
 *
 * Each step may be repeated, by another process as well: a stored event keeps its id, so it is never
 * stored twice, and it leaves its blog only after a majority has it in `blog_events`. Events leave a
 * blog in their order: those that are left are newer than those that are stored.
 */
@Injectable()
export class BlogRelay implements BackgroundJob, OnModuleInit {
  readonly name = 'blog event relay';
  readonly everyMs = 5_000;

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
    private readonly migrations: MigrationService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  /** Without its index it would read every blog; what a database lacks is in the log already. */
  async isDue(): Promise<boolean> {
    if ((await this.migrations.pending()).length > 0) return false;
    return (await this.blogs().findOne(HAS_EVENTS, { projection: { _id: 1 } })) !== null;
  }

  async run(signal: AbortSignal): Promise<string | null> {
    let events = 0;
    let tombstones = 0;
    // Blogs that change meanwhile come at the end; they are left to the next run.
    for (let isMore = true; isMore && !signal.aborted;) {
      const batch = await this.read();
      await this.store(batch);
      if (signal.aborted) break;
      await this.clear(batch);
      events += batch.reduce((sum, blog) => sum + blog.events.length, 0);
      tombstones += batch.filter(({ removed }) => removed).length;
      isMore = batch.length === BATCH;
    }
    if (events === 0) return null;
    return `events stored: ${events}${tombstones > 0 ? `, removed blogs cleared: ${tombstones}` : ''}`;
  }

  /**
   * Of what a majority has: a change that could still be rolled back must not reach `blog_events`.
   *
   * @returns those with the oldest events first
   */
  async read(): Promise<BlogWithEvents[]> {
    return this.blogs()
      .find(HAS_EVENTS, { readConcern: { level: 'majority' } })
      .project<BlogWithEvents>({ events: 1, removed: 1 })
      .sort(EVENTS_INDEX)
      .limit(BATCH)
      .toArray();
  }

  /** Inserts the events, save those that are stored already, and waits for a majority. */
  async store(batch: readonly BlogWithEvents[]): Promise<void> {
    const events = batch.flatMap(({ _id: blog, events }) =>
      events.map(({ rev, ...event }): StoredBlogEvent => ({ _id: { blog, rev }, ...event })),
    );
    if (events.length === 0) return;
    try {
      await this.events().insertMany(events, {
        ordered: false,
        writeConcern: { w: 'majority' },
      });
    } catch (error) {
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
  }

  /**
   * Takes from each blog exactly the events that it was read with, and deletes the tombstones. The
   * revision and `updatedAt` stay: for everybody else nothing has changed.
   */
  async clear(batch: readonly BlogWithEvents[]): Promise<void> {
    if (batch.length === 0) return;
    await this.blogs().bulkWrite(
      batch.map(({ _id, events, removed }) => {
        if (removed) return { deleteOne: { filter: { _id, removed: true } } };
        const revs = events.map(({ rev }) => rev);
        const update = { $pull: { events: { rev: { $in: revs } } } };
        return { updateOne: { filter: { _id }, update } };
      }),
      { ordered: false },
    );
  }

  private blogs(): mongo.Collection<BlogWithEvents> {
    return this.database().collection('blogs');
  }

  private events(): mongo.Collection<StoredBlogEvent> {
    return this.database().collection('blog_events');
  }

  private database(): mongo.Db {
    return this.connection.getClient().db(this.connection.name);
  }
}
