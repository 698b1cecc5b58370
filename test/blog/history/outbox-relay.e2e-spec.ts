import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import type { BlogEvent } from '../../../src/blog/history/blog-event.schema.js';
import { OutboxRelay } from '../../../src/blog/history/outbox-relay.service.js';
import { removal } from '../../../src/blog/history/event-stages.js';
import { blogIn, STATES } from '../../support/factories.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import { startApp } from '../../support/start-app.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { eventsInBlog, eventsStored, relay } from './stored-events.js';

const BLOGS_NOT_REMOVED = STATES.length;

describe('the outbox relay of blog events', () => {
  let fixture: BlogFixture;
  /** The events in the document of each blog before the relay runs, by the id of the blog. */
  let before: Map<string, readonly BlogEvent[]>;
  /** The id of the blog that is removed for good. */
  let removedId: string;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  /** Creates one blog in each state, and a last one, which is removed for good. */
  beforeEach(async () => {
    const { author, editor, db } = fixture;
    before = new Map();
    for (const state of [...STATES, 'draft'] as const) {
      removedId = (await blogIn(state, author, editor))._id;
      before.set(removedId, []);
    }
    const at = new Date();
    const by = new Types.ObjectId(author._id);
    const _id = new Types.ObjectId(removedId);
    await db.collection('blogs').updateOne({ _id }, removal('delete', { by, at }));
    for (const id of before.keys()) before.set(id, await eventsInBlog(db, id));
  });

  afterEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
    await fixture.db.collection('blog_events').deleteMany({});
    await fixture.db.collection('events').deleteMany({});
  });

  /** Expects that each event is stored once and unchanged, and that none is left in a blog. */
  async function expectAllStored(): Promise<void> {
    for (const [id, events] of before) {
      expect(await eventsStored(fixture.db, id)).toEqual(events);
      expect(await eventsInBlog(fixture.db, id)).toEqual([]);
    }
    const total = [...before.values()].flat().length;
    expect(await fixture.db.collection('blog_events').countDocuments()).toBe(total);
    const _id = new Types.ObjectId(removedId);
    expect(await fixture.db.collection('blogs').findOne({ _id })).toBeNull();
    expect(await fixture.db.collection('blogs').countDocuments()).toBe(BLOGS_NOT_REMOVED);
  }

  it('should store the events and report how many, and then find nothing to do', async () => {
    const total = [...before.values()].flat().length;
    const [id = ''] = before.keys();
    const { events: _, ...rest } = await storedBlog(fixture.db, id);
    expect(await fixture.app.get(OutboxRelay).isDue()).toBe(true);
    expect(await relay(fixture)).toBe(`events stored: ${total}, removed blogs cleared: 1`);
    await expectAllStored();
    expect(await storedBlog(fixture.db, id)).toEqual({ ...rest, events: [] });
    expect(await fixture.app.get(OutboxRelay).isDue()).toBe(false);
    expect(await relay(fixture)).toBeNull();
    await expectAllStored();
  });

  /** Expects that the next run completes one that ended early, and does nothing twice. */
  async function expectDoneByNextRun(): Promise<void> {
    await relay(fixture);
    await expectAllStored();
    // One event for each publication and each submission of the blogs.
    const logged = await fixture.db.collection('events').find().sort({ _id: 1 }).toArray();
    expect(logged.map((event) => event['type']).sort()).toEqual([
      ...Array<string>(3).fill('blog.published'),
      ...Array<string>(5).fill('blog.submitted'),
    ]);
    expect(logged.map(({ _id }) => _id as unknown)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  }

  it.each([
    ['reading', 'read', 1],
    ['storing half of the events', 'store', 0.5],
    ['storing the events', 'store', 1],
    ['logging half of the announcements', 'announce', 0.5],
    ['logging the announcements', 'announce', 1],
    ['clearing half of the blogs', 'clear', 0.5],
    ['clearing all blogs', 'clear', 1],
  ] as const)(
    'should store each event once although a run ended after %s',
    async (_label, step, part) => {
      const service: object = fixture.app.get(OutboxRelay);
      const steps = service as Record<string, (batch: readonly unknown[]) => Promise<unknown>>;
      const original = steps[step]?.bind(service);
      jest.spyOn(steps, step).mockImplementationOnce(async (batch = []) => {
        await original?.(batch.slice(0, Math.floor(batch.length * part)));
        throw new Error('simulated crash');
      });
      await expect(relay(fixture)).rejects.toThrow('simulated crash');
      const stored = await fixture.db.collection('blog_events').countDocuments();
      expect(stored > 0).toBe(step !== 'read');
      await expectDoneByNextRun();
    },
  );

  it('should store each event once although the process of the relay was killed within a step', async () => {
    const job = ['history/outbox-relay.service.js', 'OutboxRelay', 'announce', 'half'];
    const { code, stderr } = await runNode(['test/blog/history/killed-job.mjs', ...job], {
      cwd: await temporaryFolder(),
      env: { NODE_ENV: 'test', MONGODB_URI: fixture.uri },
    });
    expect([code, stderr]).toEqual(['SIGKILL', '']);
    expect(await fixture.db.collection('blog_events').countDocuments()).toBeGreaterThan(0);
    await expectDoneByNextRun();
  }, 60_000);

  it('should keep events that are made between its steps', async () => {
    const { author, db, app } = fixture;
    const [id = ''] = before.keys();
    const service = app.get(OutboxRelay);
    const edit = () => author.client.put(`/blog/author/id/${id}`, { title: 'Once more' });
    const batch = await service.read();
    await edit();
    await service.store(batch);
    await edit();
    await service.clear(batch);
    const left = await eventsInBlog(db, id);
    expect(left.map(({ rev }) => rev)).toEqual([2, 3]);
    before.set(id, [...(before.get(id) ?? []), ...left]);
    await relay(fixture);
    await expectAllStored();
  });

  it('should leave a blog that becomes a tombstone between two steps to the next run', async () => {
    const { author, db, app } = fixture;
    const [id = ''] = before.keys();
    const service = app.get(OutboxRelay);
    const batch = await service.read();
    await service.store(batch);
    const update = removal('delete', { by: new Types.ObjectId(author._id), at: new Date() });
    await db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, update);
    await service.clear(batch);
    expect(await eventsInBlog(db, id)).toMatchObject([{ move: 'delete', rev: 2 }]);
    await relay(fixture);
    expect((await eventsStored(db, id)).map(({ move: transition }) => transition)).toEqual([
      'create',
      'delete',
    ]);
    expect(await db.collection('blogs').findOne({ _id: new Types.ObjectId(id) })).toBeNull();
  });

  it('should store each event once when two processes run the relay while authors write', async () => {
    const { author, db } = fixture;
    const other = await startApp({ uri: fixture.uri });
    const ids = [...before.keys()].filter((id) => id !== removedId);
    let isWriting = true;
    const relaying = [fixture, other].map(async (server) => {
      while (isWriting) await relay(server);
    });
    const writing = ids.map(async (id) => {
      for (const title of ['One', 'Two', 'Three', 'Four']) {
        await author.client.put(`/blog/author/id/${id}`, { title });
      }
    });
    await Promise.all(writing);
    isWriting = false;
    await Promise.all(relaying);
    await relay(fixture);
    for (const id of ids) {
      const { rev, events } = await storedBlog(db, id);
      const stored = await eventsStored(db, id);
      expect(events).toEqual([]);
      expect(stored.map((event) => event.rev)).toEqual(
        Array.from({ length: rev as number }, (__, index) => index + 1),
      );
      for (const [index, event] of stored.entries()) {
        expect(event.from).toBe(stored[index - 1]?.to ?? null);
      }
    }
    await other.close();
  });

  it('should store more than one batch in a run', async () => {
    const { db } = fixture;
    const at = new Date();
    const blogs = Array.from({ length: 450 }, () => ({
      _id: new Types.ObjectId(),
      removed: true,
      events: [
        { move: 'delete', by: null, at, from: 'draft', to: 'deleted', revBefore: 1, rev: 2 },
      ],
    }));
    await db.collection('blogs').insertMany(blogs);
    const total = [...before.values()].flat().length + blogs.length;
    expect(await relay(fixture)).toBe(`events stored: ${total}, removed blogs cleared: 451`);
    expect(await db.collection('blogs').countDocuments()).toBe(BLOGS_NOT_REMOVED);
    expect(await db.collection('blog_events').countDocuments()).toBe(total);
  });

  it('should store nothing if it is aborted before its first step', async () => {
    await fixture.app.get(OutboxRelay).run(AbortSignal.abort());
    expect(await fixture.db.collection('blog_events').countDocuments()).toBe(0);
  });
});
