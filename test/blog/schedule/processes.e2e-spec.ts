import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogIn, person } from '../../support/factories.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { holdClock, HOUR, SECOND } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { eventsStored } from '../history/stored-events.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import {
  dueBlog,
  eventsSinceScheduled,
  runDueTransitions,
  runnerLog,
  schedule,
} from './fixture.js';

/** How late a scheduled transition may be while a process runs. */
const MAX_LATE_MS = 2_000;

/** A busy machine may delay a single transition. */
const MAX_LATE_EVER_MS = 5_000;

/** For so long after a transition, a process may show the old state. */
const MAX_STALENESS_MS = 1_000;

describe('a process that is killed', () => {
  it.each([
    ['after it has read what is due', 'read', 0],
    ['after it has made the first move', 'make', 1],
  ])(
    'should leave the rest to the next one at once, when killed %s',
    async (_label, step, made) => {
      const fixture = await openBlogFixture();
      const { db } = fixture;
      const ids = [await dueBlog(fixture), await dueBlog(fixture), await dueBlog(fixture, 'live')];
      const { code, stderr } = await runNode(['test/blog/schedule/killed-runner.mjs', step], {
        cwd: await temporaryFolder(),
        env: { NODE_ENV: 'test', MONGODB_URI: fixture.uri },
      });
      expect([code, stderr]).toEqual(['SIGKILL', '']);
      const events = async () =>
        Promise.all(ids.map((id) => eventsSinceScheduled(db, id).then((all) => all.length)));
      expect((await events()).filter((count) => count > 0)).toHaveLength(made);
      // A second process, which need not wait for a lease of the first.
      await runDueTransitions(fixture);
      expect(await events()).toEqual([1, 1, 1]);
      await fixture.close();
    },
    60_000,
  );
});

describe('two processes with a clock of their own each', () => {
  let fixture: BlogFixture;
  let other: TestApp;

  beforeAll(async () => {
    fixture = await openBlogFixture({ background: true });
    other = await startApp({ uri: fixture.uri, background: true });
  });

  /** Waits until both servers show the blog to readers, or no longer do. */
  async function untilBothShow(id: string, status: 200 | 404): Promise<void> {
    const readers = [fixture.client, other.client];
    await until(`${status} from both`, async () => {
      const reads = await Promise.all(readers.map((client) => client.get(`/blog/id/${id}`)));
      return reads.every((read) => read.status === status);
    });
  }

  it('should publish and unpublish in time, once, and show it within a second', async () => {
    const { author, editor, db } = fixture;
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) {
      ids.push((await blogIn('in review', author, editor))._id);
    }
    const clocks = [
      holdClock(fixture.app, Date.now() + HOUR),
      holdClock(other.app, Date.now() - HOUR),
    ];
    const lateness: number[] = [];
    /** Watches one blog until it is unpublished. */
    const watch = async (id: string, index: number): Promise<void> => {
      await untilBothShow(id, 404);
      const publish = 2 * SECOND + 300 * index;
      await schedule(fixture, id, { publish, unpublish: publish + 4 * SECOND });
      const { schedule: stored } = await storedBlog(db, id);
      for (const [transition, status] of [
        ['publish', 200],
        ['unpublish', 404],
      ] as const) {
        await until(transition, async () => !(await storedBlog(db, id))['schedule']?.[transition]);
        const madeAt = Date.now();
        lateness.push(madeAt - stored[transition].at.getTime());
        await untilBothShow(id, status);
        expect(Date.now() - madeAt).toBeLessThan(MAX_STALENESS_MS);
      }
    };
    try {
      await Promise.all(ids.map(watch));
    } finally {
      for (const clock of clocks) clock.release();
    }
    lateness.sort((one, another) => one - another);
    expect(lateness[0]).toBeGreaterThanOrEqual(0);
    expect(lateness[Math.floor(lateness.length / 2)]).toBeLessThan(MAX_LATE_MS);
    expect(lateness.at(-1)).toBeLessThan(MAX_LATE_EVER_MS);

    const expected = ['create', 'submit', 'schedule', 'publish', 'unpublish'];
    for (const id of ids) {
      await until('the relay', async () => (await eventsStored(db, id)).length >= expected.length);
      expect((await eventsStored(db, id)).map(({ move: transition }) => transition)).toEqual(
        expected,
      );
    }
    expect([...runnerLog(fixture), ...runnerLog(other)]).toHaveLength(2 * ids.length);
  }, 60_000);

  it('should keep to it when the editor is disabled, and name the editor', async () => {
    const { author } = fixture;
    const admin = await person(fixture, 'ADMIN');
    const editor = await person(fixture, 'EDITOR');
    const { _id } = await blogIn('in review', author, editor);
    await schedule({ ...fixture, editor }, _id, { publish: SECOND });
    const path = `/admin/users/id/${editor._id}/status`;
    expect((await admin.client.put(path, { enabled: false })).status).toBe(200);
    await untilBothShow(_id, 200);
    const history = await author.client.get(`/blog/author/history/id/${_id}`);
    expect(history.body.data).toMatchObject([
      { move: 'publish', by: { _id: editor._id, name: editor.name } },
      { move: 'schedule', by: { _id: editor._id, name: editor.name } },
      { move: 'submit' },
      { move: 'create' },
    ]);
  });
});

describe('a process that starts after a downtime', () => {
  it('should make at once what has been due', async () => {
    const fixture = await openBlogFixture();
    const ids = [await dueBlog(fixture), await dueBlog(fixture, 'live')];
    const server = await startApp({ uri: fixture.uri, background: true });
    const startedAt = Date.now();
    for (const id of ids) {
      await until('the move', async () => !(await storedBlog(fixture.db, id))['schedule']);
    }
    expect(Date.now() - startedAt).toBeLessThan(MAX_LATE_EVER_MS);
    await server.close();
    await fixture.close();
  });
});
