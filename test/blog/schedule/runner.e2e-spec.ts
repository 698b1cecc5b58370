import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { ScheduleRunner } from '../../../src/blog/schedule/schedule-runner.service.js';
import { runAccountJobs } from '../handover/account-jobs.js';
import { blogIn, PASSWORD, person } from '../../support/factories.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import { startApp } from '../../support/start-app.js';
import { HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storeCopies, storedBlog, type BlogFixture } from '../core/fixture.js';
import {
  dueBlog,
  eventsSinceScheduled,
  runDueTransitions,
  runnerLog,
  schedule,
} from './fixture.js';

/** Number of copies of one blog; with the blog itself, they exceed a batch of the runner (20). */
const COPY_COUNT = 20;

describe('the runner of scheduled transitions', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const transitionsOf = async (id: string): Promise<string[]> =>
    (await eventsSinceScheduled(fixture.db, id)).map(({ move: transition }) => transition);

  it('should make due transitions in the name of the editor, and log them', async () => {
    const { app, db, client, editor } = fixture;
    const toPublish = await dueBlog(fixture);
    const toUnpublish = await dueBlog(fixture, 'live');
    const { schedule: stored } = await storedBlog(db, toPublish);
    expect(await app.get(ScheduleRunner).isDue()).toBe(true);
    const startedAt = Date.now();
    await runDueTransitions(fixture);

    expect(await eventsSinceScheduled(db, toPublish)).toMatchObject([
      { move: 'publish', from: 'in review', to: 'live', by: new Types.ObjectId(editor._id) },
    ]);
    const live = await storedBlog(db, toPublish);
    // `publishedAt` is the time of the transition, not the scheduled time.
    expect(live['publishedAt'].getTime()).toBeGreaterThanOrEqual(startedAt);
    expect([live['schedule'], live['dueAt']]).toEqual([undefined, undefined]);
    expect((await client.get(`/blog/id/${toPublish}`)).status).toBe(200);
    expect(await transitionsOf(toUnpublish)).toEqual(['unpublish']);
    expect((await client.get(`/blog/id/${toUnpublish}`)).status).toBe(404);
    expect(runnerLog(fixture)).toContainEqual({
      level: 30,
      msg: `blog ${toPublish} published, as scheduled for ${stored.publish.at.toISOString()}`,
    });
    expect(await app.get(ScheduleRunner).isDue()).toBe(false);
  });

  it('should publish and unpublish in one run when both times have passed', async () => {
    const { author, editor, db } = fixture;
    const { _id } = await blogIn('in review', author, editor);
    await schedule(fixture, _id, { publish: -2 * HOUR, unpublish: -HOUR });
    await runDueTransitions(fixture);
    expect(await eventsSinceScheduled(db, _id)).toMatchObject([
      { move: 'publish', to: 'live' },
      { move: 'unpublish', to: 'draft' },
    ]);
  });

  it('should remove a blog of a former author when its scheduled unpublish is due', async () => {
    const { db } = fixture;
    // No account can be deleted while there is no admin.
    await person(fixture, 'ADMIN');
    const author = await person(fixture, 'AUTHOR');
    const id = await dueBlog({ ...fixture, author }, 'live');
    const deletion = await author.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect(deletion.body).toMatchObject({ status: 200 });
    await runAccountJobs(fixture);
    expect((await storedBlog(db, id))['authorLeft']).toBe(true);
    await runDueTransitions(fixture);
    expect(await storedBlog(db, id)).toMatchObject({ removed: true });
  });

  it('should make every transition once when two processes run at the same time', async () => {
    const other = await startApp({ uri: fixture.uri });
    const first = await dueBlog(fixture);
    const ids = [
      first,
      ...(await storeCopies(
        fixture.db,
        first,
        Array(COPY_COUNT).fill(() => ({})),
      )),
    ];
    const before = runnerLog(fixture).length;
    await Promise.all([fixture, other, fixture, other].map(runDueTransitions));
    for (const id of ids) expect(await transitionsOf(id)).toEqual(['publish']);
    const logged = [...runnerLog(fixture).slice(before), ...runnerLog(other)];
    expect(logged.filter(({ msg }) => msg.includes(' published,'))).toHaveLength(ids.length);
    expect(logged).toHaveLength(ids.length);
    await other.close();
  });

  it('should make in the next run what a killed process has not made, without waiting', async () => {
    const ids = [await dueBlog(fixture), await dueBlog(fixture), await dueBlog(fixture, 'live')];
    const job = ['schedule/schedule-runner.service.js', 'ScheduleRunner', 'make', 'after'];
    const { code, stderr } = await runNode(['test/blog/history/killed-job.mjs', ...job], {
      cwd: await temporaryFolder(),
      env: { NODE_ENV: 'test', MONGODB_URI: fixture.uri },
    });
    expect([code, stderr]).toEqual(['SIGKILL', '']);
    const eventCounts = () => Promise.all(ids.map(async (id) => (await transitionsOf(id)).length));
    expect((await eventCounts()).filter((count) => count > 0)).toHaveLength(1);
    // A second process need not wait for a lock of the first.
    await runDueTransitions(fixture);
    expect(await eventCounts()).toEqual([1, 1, 1]);
  }, 60_000);

  it('should not make a transition whose time was changed after it was read', async () => {
    const { app, db } = fixture;
    const id = await dueBlog(fixture);
    const runner = app.get(ScheduleRunner);
    const [due] = await runner.read();
    if (!due) throw new Error('no transition is due');
    await schedule(fixture, id, { publish: HOUR });
    const before = await storedBlog(db, id);
    expect(await runner.make(due)).toBe(false);
    expect(await storedBlog(db, id)).toEqual(before);
  });

  it('should make the other transitions when the database refuses one', async () => {
    const { db } = fixture;
    const broken = await dueBlog(fixture);
    const _id = new Types.ObjectId(broken);
    const events = (await storedBlog(db, broken))['events'];
    await db.collection('blogs').updateOne({ _id }, { $set: { events: 'not a list' } });
    const others = [await dueBlog(fixture), await dueBlog(fixture)];
    await expect(runDueTransitions(fixture)).rejects.toThrow('$concatArrays only supports arrays');
    for (const id of others) expect(await transitionsOf(id)).toEqual(['publish']);
    await db.collection('blogs').updateOne({ _id }, { $set: { events } });
    await runDueTransitions(fixture);
    expect(await transitionsOf(broken)).toEqual(['publish']);
  });

  it('should make no transition once it is aborted', async () => {
    const id = await dueBlog(fixture);
    await fixture.app.get(ScheduleRunner).run(AbortSignal.abort());
    expect(await transitionsOf(id)).toEqual([]);
    await runDueTransitions(fixture);
  });

  it.each([
    ['withdrawn', { submitted: false, drafted: true }],
    ['deleted', { submitted: false, drafted: false, status: false, slugs: [] }],
  ])('should cancel the schedule of a blog that an older server has %s', async (_label, change) => {
    const { db } = fixture;
    const id = await dueBlog(fixture);
    await db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, { $set: change });
    await runDueTransitions(fixture);
    const blog = await storedBlog(db, id);
    expect(blog).toMatchObject(change);
    expect([blog['schedule'], blog['dueAt']]).toEqual([undefined, undefined]);
    expect(await fixture.app.get(ScheduleRunner).isDue()).toBe(false);
  });
});
