import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import { OUTBOX_RELAY, EventLog } from '../../events/log/event-log.service.js';
import { BACKGROUND } from '../../platform/database/client-options.js';
import { isOnlyDuplicateKeys } from '../../platform/database/is-duplicate-key.js';
import { HAS_EVENTS, EVENTS_INDEX } from '../core/blog.indexes.js';
import { ChangeFolding } from '../public/counts/change-folding.service.js';
import type { RevisionContent } from '../revisions/store/revision-content.schema.js';
import { CommentRelay } from '../comments/store/comment-relay.service.js';
import { toNewEvents } from './announcements.js';
import { AuthorRenames } from './author-renames.js';
import { BlogActs } from './blog-acts.service.js';
import type { BlogEvent, StoredBlogEvent } from './blog-event.schema.js';

/** Largest number of blogs in one batch. */
const BATCH = 200;

/** Whether the changes of counts of a tombstone are folded: it is not deleted before. */
const IS_COUNTED = { 'publicChanges.0': { $exists: false } } as const;

/** What the outbox relay reads of a blog or a tombstone. */
export interface BlogWithEvents {
  readonly _id: Types.ObjectId;
  readonly events: readonly BlogEvent[];
  readonly removed?: true;
}

/**
 * Carries the events of blogs from their documents to `blog_events`, adds to the event log what clients may hear of
 * (docs/adr/0009), tells other features of them and of new comments, and folds the changes of counts.
 *
 * Every step may be repeated, also by another process. The id of an event is unique, so no event is
 * stored twice. An event is removed from its blog only after a majority of the replica set has it in
 * `blog_events`, and never before an older event of that blog.
 */
@Injectable()
export class OutboxRelay implements BackgroundJob, OnModuleInit {
  readonly name = OUTBOX_RELAY;
  readonly everyMs = 5_000;
  readonly retryMs = 1_000;

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
    private readonly log: EventLog,
    private readonly renames: AuthorRenames,
    private readonly counts: ChangeFolding,
    private readonly acts: BlogActs,
    private readonly comments: CommentRelay,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    const blog = await this.blogs().findOne(HAS_EVENTS, { projection: { _id: 1 } });
    if (blog !== null || (await this.counts.isDue())) return true;
    return (await this.comments.isDue()) || this.renames.isDue();
  }

  async run(signal: AbortSignal): Promise<string | null> {
    // Events are carried even if the changes of counts cannot be folded.
    const folding = this.counts.fold(signal);
    await folding.catch(() => null);
    let events = 0;
    let tombstones = 0;
    // A batch that is not full is the last one: blogs that change meanwhile are left to the next
    // run.
    for (let isMore = true; isMore && !signal.aborted;) {
      const batch = await this.read();
      await this.store(batch);
      if (signal.aborted) break;
      await this.announce(batch);
      await this.tell(batch);
      await this.clear(batch);
      events += batch.reduce((sum, blog) => sum + blog.events.length, 0);
      tombstones += batch.filter(({ removed }) => removed).length;
      isMore = batch.length === BATCH;
    }
    await folding;
    const comments = await this.comments.relay(signal);
    const renamed = await this.renames.relay(signal);
    return summaryOf({
      'events stored': events,
      'removed blogs cleared': tombstones,
      'comments told': comments,
      'authors renamed': renamed,
    });
  }

  /**
   * Reads a batch with read concern "majority", because a failover could still roll back a change
   * that no majority has, and its event must not be stored.
   *
   * @returns the blogs with the oldest events
   */
  async read(): Promise<BlogWithEvents[]> {
    return this.blogs()
      .find(HAS_EVENTS, { readConcern: { level: 'majority' } })
      .project<BlogWithEvents>({ events: 1, removed: 1 })
      .sort(EVENTS_INDEX)
      .limit(BATCH)
      .toArray();
  }

  /**
   * Stores the events that are not stored yet, and waits until a majority has them. A note that was removed from its
   * blog since the batch was read goes as well: NoteStore may have looked for it in `blog_events` before.
   */
  async store(batch: readonly BlogWithEvents[]): Promise<void> {
    const events = batch.flatMap(({ _id: blog, events }) =>
      events.map(({ rev, announced: _, ...event }): StoredBlogEvent => ({
        _id: { blog, rev },
        ...event,
      })),
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
    const noted = events.filter(({ note }) => note !== undefined).map(({ _id }) => _id);
    if (noted.length > 0) await this.removeOldNotes(noted);
  }

  private async removeOldNotes(noted: readonly StoredBlogEvent['_id'][]): Promise<void> {
    const blogs = await this.blogs()
      .find({ _id: { $in: noted.map(({ blog }) => blog) } })
      .project<Pick<BlogWithEvents, '_id' | 'events'>>({ 'events.rev': 1, 'events.note': 1 })
      .toArray();
    const withoutNote = new Set(
      blogs.flatMap(({ _id, events }) =>
        events
          .filter(({ note }) => note === undefined)
          .map(({ rev }) => `${_id.toHexString()} ${rev}`),
      ),
    );
    const removed = noted.filter(({ blog, rev }) =>
      withoutNote.has(`${blog.toHexString()} ${rev}`),
    );
    if (removed.length === 0) return;
    await this.events().updateMany({ _id: { $in: removed } }, { $unset: { note: 1 } });
  }

  /** Adds the announcements of the events to the event log, the oldest first. */
  async announce(batch: readonly BlogWithEvents[]): Promise<void> {
    const events = batch.flatMap(({ _id, events }) =>
      events.flatMap((event) => toNewEvents(_id, event)),
    );
    // The sort is stable: the events of one blog keep their order, even within a millisecond.
    await this.log.append(events.sort((one, other) => one.at.getTime() - other.at.getTime()));
  }

  private async tell(batch: readonly BlogWithEvents[]): Promise<void> {
    const acts = batch.flatMap(({ _id: blog, events }) =>
      events.map(({ rev, move, by }) => ({
        id: `${blog.toHexString()} ${rev}`,
        what: move,
        blog,
        by,
      })),
    );
    await this.acts.tell(acts);
  }

  /**
   * Removes from each blog the events that were read with it. The blog keeps its revision number and
   * `updatedAt`, because nothing else changes. For each removed blog, deletes the contents of its
   * revisions and then its tombstone.
   */
  async clear(batch: readonly BlogWithEvents[]): Promise<void> {
    if (batch.length === 0) return;
    const gone = batch.filter(({ removed }) => removed).map(({ _id }) => _id);
    if (gone.length > 0) await this.revisions().deleteMany({ blog: { $in: gone } });
    await this.blogs().bulkWrite(
      batch.map(({ _id, events, removed }) => {
        if (removed) return { deleteOne: { filter: { _id, removed: true, ...IS_COUNTED } } };
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

  private revisions(): mongo.Collection<RevisionContent> {
    return this.database().collection('blog_revisions');
  }

  private database(): mongo.Db {
    return this.connection.getClient().db(this.connection.name);
  }
}

/** The names and values of the counts that are not 0, for the log; null if all are 0. */
function summaryOf(counts: Readonly<Record<string, number>>): string | null {
  const done = Object.entries(counts).filter(([, count]) => count > 0);
  return done.length === 0 ? null : done.map(([name, count]) => `${name}: ${count}`).join(', ');
}
