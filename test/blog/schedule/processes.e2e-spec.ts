import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogIn } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { holdClock, HOUR, SECOND } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { eventsStored } from '../history/stored-events.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { runnerLog, schedule } from './fixture.js';

/** How late the scheduled transitions may be in the median. */
const MAX_MEDIAN_LATENESS_MS = 2_000;

/** How late any transition may be: more than the median, because a busy machine may delay a single one. */
const MAX_LATENESS_MS = 5_000;

/** How long a server may show the old state after a transition. */
const MAX_STALENESS_MS = 1_000;

describe('two processes whose clocks differ', () => {
  let fixture: BlogFixture;
  let other: TestApp;

  beforeAll(async () => {
    fixture = await openBlogFixture({ background: true });
    other = await startApp({ uri: fixture.uri, background: true });
  });

  /** Waits until both servers answer a reader of the blog with this status. */
  async function untilBothShow(id: string, status: 200 | 404): Promise<void> {
    const readers = [fixture.client, other.client];
    await until(`${status} from both`, async () => {
      const reads = await Promise.all(readers.map((client) => client.get(`/blog/id/${id}`)));
      return reads.every((read) => read.status === status);
    });
  }

  it('should make each scheduled transition in time and once, and show it within a second', async () => {
    const { author, editor, db } = fixture;
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
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
      const publish = SECOND + 300 * index;
      await schedule(fixture, id, { publish, unpublish: publish + 2 * SECOND });
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
    expect(lateness[Math.floor(lateness.length / 2)]).toBeLessThan(MAX_MEDIAN_LATENESS_MS);
    expect(lateness.at(-1)).toBeLessThan(MAX_LATENESS_MS);

    const expected = ['create', 'submit', 'schedule', 'publish', 'unpublish'];
    for (const id of ids) {
      await until(
        'the outbox relay',
        async () => (await eventsStored(db, id)).length >= expected.length,
      );
      expect((await eventsStored(db, id)).map(({ move: transition }) => transition)).toEqual(
        expected,
      );
    }
    expect([...runnerLog(fixture), ...runnerLog(other)]).toHaveLength(2 * ids.length);
  }, 60_000);
});
