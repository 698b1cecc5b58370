import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BackgroundService } from '../../../src/platform/jobs/background.service.js';
import { Types } from 'mongoose';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import { OUTBOX_RELAY, EventLog } from '../../../src/events/log/event-log.service.js';
import type { LoggedEvent } from '../../../src/events/log/event-log.schema.js';
import { JobLock } from '../../../src/platform/database/lock/job-lock.js';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { blogIn } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

describe('processes that run their background jobs', () => {
  let fixture: BlogFixture;
  let other: TestApp;

  beforeAll(async () => {
    fixture = await openBlogFixture({ background: true });
    other = await startApp({ uri: fixture.uri, background: true });
  });

  afterAll(async () => {
    await other.close();
  });

  const events = () => fixture.db.collection<LoggedEvent>('events');
  const jobs = () => fixture.db.collection<{ _id: string; dueAt: Date }>('background_jobs');
  const typesOf = async (id: string) =>
    (await events().find({ 'data._id': id }).sort({ _id: 1 }).toArray()).map(({ type }) => type);

  /** Creates a blog in review. The outbox relay has logged its event, and is next due in an hour. */
  async function createInReview(): Promise<string> {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor);
    await until('the event', async () => (await typesOf(_id)).length === 1);
    await until('the end of the lock of the outbox relay', () =>
      postpone({ $expr: { $lte: ['$leasedUntil', '$$NOW'] } }),
    );
    return _id;
  }

  async function postpone(condition: object): Promise<boolean> {
    const change = { $set: { dueAt: new Date(Date.now() + 3_600_000) } };
    return (await jobs().updateOne({ _id: OUTBOX_RELAY, ...condition }, change)).matchedCount === 1;
  }

  it('should log the event of a transition at once, before the job is due', async () => {
    const id = await createInReview();
    const seqs: number[] = [];
    const unsubscribe = fixture.app.get(EventLog).onStored((seq) => seqs.push(seq));
    await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
    await until('the event', async () => (await typesOf(id)).includes('blog.published'));
    await until('the call of the listener', async () =>
      seqs.includes(await fixture.app.get(EventLog).lastSeq()),
    );
    unsubscribe();
  });

  it('should not wake the outbox relay for a transition that announces nothing', async () => {
    const wake = jest.spyOn(fixture.app.get(BackgroundService), 'wake');
    // The outbox relay wakes the jobs of the webhooks; these wakes do not count.
    const wakes = () => wake.mock.calls.filter(([name]) => name === OUTBOX_RELAY);
    const { _id } = await blogIn('live', fixture.author, fixture.editor);
    expect(wakes()).toHaveLength(2);
    await fixture.author.client.put(`/blog/author/id/${_id}`, { title: 'Another title' });
    await fixture.author.client.put(`/blog/author/discard/${_id}`);
    expect(wakes()).toHaveLength(2);
    wake.mockRestore();
  });

  it('should wait for the process that runs the outbox relay, and then log the event', async () => {
    const id = await createInReview();
    const lock = other.app.get(JobLock);
    const claimed = await lock.claim(OUTBOX_RELAY, 0, true);
    if (!claimed) throw new Error('another process holds the lock');
    await postpone({});
    await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
    expect(await typesOf(id)).toEqual(['blog.submitted']);
    await lock.release(claimed);
    await until('the event', async () => (await typesOf(id)).length === 2);
  });

  it('should give each event one number while both processes publish blogs', async () => {
    const ids: string[] = [];
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { _id } = await blogIn('live in review', fixture.author, fixture.editor);
        ids.push(_id);
        const { app } = index % 2 === 0 ? fixture : other;
        await app.get(BlogTransitionService).apply('publish', {
          id: new Types.ObjectId(_id),
          actor: new Types.ObjectId(fixture.editor._id),
          ifMatch: null,
        });
      }),
    );
    const announced = ['blog.submitted', 'blog.published', 'blog.submitted', 'blog.updated'];
    for (const id of ids) {
      await until('the events', async () => (await typesOf(id)).length === 4);
      expect(await typesOf(id)).toEqual(announced);
    }
    const seqs = (await events().find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const count = await fixture.db
      .collection('blogs')
      .countDocuments({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) } });
    expect(count).toBe(ids.length);
  });
});
