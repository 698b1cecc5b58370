import { Types, type mongo } from 'mongoose';
import type { BlogEvent, StoredBlogEvent } from '../../../src/blog/history/blog-event.schema.js';
import { OutboxRelay } from '../../../src/blog/history/outbox-relay.service.js';
import type { TestApp } from '../../support/start-app.js';

/** The events in a blog's document or tombstone, without what they announce to the event log. */
export async function eventsInBlog(db: mongo.Db, id: string): Promise<readonly BlogEvent[]> {
  const events = await eventsWithAnnouncements(db, id);
  return events.map(({ announced: _, ...event }) => event);
}

/** The events in a blog's document or tombstone, with what they announce to the event log. */
async function eventsWithAnnouncements(db: mongo.Db, id: string): Promise<readonly BlogEvent[]> {
  const blog = await db
    .collection<{ _id: Types.ObjectId; events?: BlogEvent[] }>('blogs')
    .findOne({ _id: new Types.ObjectId(id) });
  return blog?.events ?? [];
}

/** The events of a blog that the outbox relay has stored, oldest first. */
export async function eventsStored(db: mongo.Db, id: string): Promise<BlogEvent[]> {
  const events = await db
    .collection<StoredBlogEvent>('blog_events')
    .find({ '_id.blog': new Types.ObjectId(id) })
    .sort({ _id: 1 })
    .toArray();
  return events.map(({ _id: { rev }, ...event }) => ({ ...event, rev }));
}

/** Runs the outbox relay of a server once. @returns the counts that it logs; null if there was nothing to do */
export async function relay({ app }: Pick<TestApp, 'app'>): Promise<string | null> {
  return app.get(OutboxRelay).run(new AbortController().signal);
}
