import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo, Types } from 'mongoose';
import { HAS_EVENTS } from '../core/blog.indexes.js';
import { Blog } from '../core/blog.schema.js';
import { BlogStore } from '../core/blog-store.js';
import {
  eventsWithoutNotes,
  HAS_NOTE,
  historyOf,
  NOTED_TRANSITIONS,
  STORED_BLOG_EVENT,
  type BlogEvent,
  type StoredBlogEvent,
} from './blog-event.schema.js';

/** Largest number of records that one command changes. */
const BATCH = 1_000;

type EventId = StoredBlogEvent['_id'];

/** Removes notes of submissions and returns from the history. */
@Injectable()
export class NoteStore {
  private readonly events: mongo.Collection<StoredBlogEvent>;
  private readonly blogs: mongo.Collection<Blog>;

  constructor(
    @InjectModel(STORED_BLOG_EVENT) events: Model<StoredBlogEvent>,
    @InjectModel(Blog.name) blogs: Model<Blog>,
    private readonly store: BlogStore,
  ) {
    this.events = events.collection as unknown as mongo.Collection<StoredBlogEvent>;
    this.blogs = blogs.collection as unknown as mongo.Collection<Blog>;
  }

  /**
   * Removes all notes from the stored events of these blogs. A purge has removed those in their documents
   * before.
   */
  async removeAllOf(blogs: readonly Types.ObjectId[]): Promise<void> {
    const events = await this.events
      .find({ $or: blogs.map((blog) => historyOf(blog)) } as mongo.Filter<StoredBlogEvent>)
      .project<Pick<StoredBlogEvent, '_id' | 'move'>>({ move: 1 })
      .toArray();
    await this.unset(events.filter(({ move }) => NOTED_TRANSITIONS.includes(move)));
  }

  /**
   * Removes the notes of one user from the events of all blogs, and from the blogs that still show them. The
   * call may be repeated.
   */
  async removeAllBy(user: Types.ObjectId): Promise<void> {
    // The outbox is first, because the relay may carry a note to `blog_events` meanwhile.
    await this.removeFromBlogs(user, await this.blogsWithNewNotes(user));
    for (let isMore = true; isMore;) {
      const events = await this.events
        .find({ by: user, ...HAS_NOTE })
        .project<Pick<StoredBlogEvent, '_id'>>({ _id: 1 })
        .limit(BATCH)
        .toArray();
      await this.removeFromBlogs(
        user,
        events.map(({ _id }) => _id.blog),
      );
      await this.unset(events);
      isMore = events.length === BATCH;
    }
  }

  /** The blogs that have an event of the user with a note in their documents. */
  private async blogsWithNewNotes(user: Types.ObjectId): Promise<Types.ObjectId[]> {
    const ids: Types.ObjectId[] = [];
    // No index has the users of these events, but the outbox relay leaves few of them.
    const blogs = this.blogs.find(HAS_EVENTS).project<{
      readonly _id: Types.ObjectId;
      readonly events: readonly Pick<BlogEvent, 'by' | 'move'>[];
    }>({ 'events.by': 1, 'events.move': 1 });
    for await (const { _id, events } of blogs) {
      const isNoted = events.some(
        ({ by, move }) => NOTED_TRANSITIONS.includes(move) && by?.equals(user),
      );
      if (isNoted) ids.push(_id);
    }
    return ids;
  }

  private async removeFromBlogs(
    user: Types.ObjectId,
    ids: readonly Types.ObjectId[],
  ): Promise<void> {
    const unlessBy = (writer: object | string, field: `$${string}`) => ({
      $cond: [{ $eq: [writer, user] }, '$$REMOVE', field],
    });
    const $set = {
      events: eventsWithoutNotes({ $eq: ['$$this.by', user] }),
      returned: unlessBy('$returned.by', '$returned'),
      // The first submitter has written the note.
      submissionNote: unlessBy({ $first: '$submitters' }, '$submissionNote'),
    };
    for (let from = 0; from < ids.length; from += BATCH) {
      await this.store.updateMany({ _id: { $in: ids.slice(from, from + BATCH) } }, [{ $set }]);
    }
  }

  private async unset(events: readonly { readonly _id: EventId }[]): Promise<void> {
    for (let from = 0; from < events.length; from += BATCH) {
      const ids = events.slice(from, from + BATCH).map(({ _id }) => _id);
      await this.events.updateMany({ _id: { $in: ids } }, { $unset: { note: 1 } });
    }
  }
}
