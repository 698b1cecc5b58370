import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { EventLog } from '../../../src/events/log/event-log.service.js';
import { relay } from '../../blog/history/stored-events.js';
import { blogIn, type Person } from '../../support/factories.js';
import { runNode, startNode, temporaryFolder, untilReady } from '../../support/process.js';
import { isLong } from '../../support/scale.js';
import { until } from '../../support/time/wait.js';
import { ENV, openWebhookFixture, type WebhookFixture } from './fixture.js';
import type { Receiver } from './receiver.js';

/** How often the server is killed at a random moment. */
const KILLS = isLong ? 40 : 2;

/** How often the time from a transition to its first call is measured. */
const FIRST_CALLS = isLong ? 300 : 4;

/** The steps before or after which the process kills itself. `npm test` has only the kill after which a call is repeated. */
const STEPS: readonly (readonly [when: string, step: string])[] = isLong
  ? ['add', 'send', 'record'].flatMap((step) => [
      ['before', step] as const,
      ['after', step] as const,
    ])
  : [['after', 'send']];

let fixture: WebhookFixture;
let receiver: Receiver;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  fixture = await openWebhookFixture();
  const keys = String(fixture.env.JWT_PRIVATE_KEYS);
  env = { NODE_ENV: 'test', MONGODB_URI: fixture.uri, JWT_PRIVATE_KEYS: keys, ...ENV };
});

beforeEach(async () => {
  receiver = await fixture.resetWithReceiver();
});

/** How often the receiver has got each event, by the event's id. */
function received(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { headers } of receiver.calls) {
    const id = String(headers['webhook-id']);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

const lastSeq = () => fixture.app.get(EventLog).lastSeq();

async function loggedAfter(seq: number): Promise<string[]> {
  const events = await fixture.app.get(EventLog).after(seq, 10_000);
  return events.filter(({ type }) => type === 'blog.published').map(({ id }) => id);
}

describe('a dispatcher', () => {
  it.each(STEPS)(
    'should lose no event when it is killed %s the step "%s"',
    async (when, step) => {
      const { _id } = await fixture.create(receiver.url);
      const seq = await lastSeq();
      for (let count = 0; count < 3; count += 1) await fixture.publish();
      await relay(fixture);
      const { code, stderr } = await runNode(
        ['test/events/webhooks/killed-dispatcher.mjs', when, step],
        {
          cwd: await temporaryFolder(),
          env,
        },
      );
      expect([code, stderr]).toEqual(['SIGKILL', '']);
      await fixture.dispatch();
      const ids = await loggedAfter(seq);
      expect(ids).toHaveLength(3);
      expect([...received().keys()].sort()).toEqual(ids.sort());
      expect(receiver.calls.length).toBeLessThanOrEqual(2 * ids.length);
      const states = (await fixture.deliveries(_id)).map(({ state }) => state);
      expect(states).toEqual(ids.map(() => 'delivered'));
      await fixture.dispatch();
      expect(receiver.calls.length).toBeLessThanOrEqual(2 * ids.length);
    },
    60_000,
  );
});

describe('a server that runs its jobs', () => {
  async function start() {
    const running = startNode(['dist/main.js'], {
      cwd: await temporaryFolder(),
      env: { PORT: '0', LOG_LEVEL: 'error', ...env },
    });
    return { ...running, url: await untilReady(running) };
  }

  /** Publishes an article through the server at this URL. @returns the article's id */
  async function publishAt(url: string): Promise<string> {
    const at = ({ client }: Person) => ({ client: client.at(url) });
    return (await blogIn('live', at(fixture.author), at(fixture.editor)))._id;
  }

  it(
    'should lose no event when it is killed at random moments and the receiver fails',
    async () => {
      const failed = new Set<string>();
      const done = new Set<string>();
      receiver.answer = (response, { headers }) => {
        const id = String(headers['webhook-id']);
        const fails = !failed.has(id) && Math.random() < 0.3;
        (fails ? failed : done).add(id);
        if (!fails) response.writeHead(204).end();
        else if (Math.random() < 0.5) response.writeHead(500).end();
        else response.destroy();
      };
      await fixture.create(receiver.url);
      const seq = await lastSeq();
      const published: string[] = [];
      let url: string | null = null;
      let isOver = false;
      const publishing = (async () => {
        while (!isOver) {
          // A request to a killed server fails, whether or not the transition was made.
          const id = url && (await publishAt(url).catch(() => null));
          if (id) published.push(id);
          else await wait(20);
        }
      })();
      for (let kill = 0; kill < KILLS; kill += 1) {
        const running = await start();
        ({ url } = running);
        const enough = receiver.calls.length + Math.random() * 10;
        await until('calls', () => receiver.calls.length > enough, 60_000);
        await wait(Math.random() * 300);
        url = null;
        running.child.kill('SIGKILL');
        expect(await running.ended).toBe('SIGKILL');
        // The locks of the killed process would end only with time.
        await fixture.db.collection('background_jobs').deleteMany({});
      }
      isOver = true;
      await publishing;
      const last = await start();
      // The log also gets the events of transitions whose response never arrived.
      await until('all transitions in the log', async () => {
        const withEvents = { 'events.0': { $exists: true } };
        return (await fixture.db.collection('blogs').countDocuments(withEvents)) === 0;
      });
      const ids = await loggedAfter(seq);
      const isLogged = (id: string) => ids.some((event) => event.startsWith(`evt_${id}_`));
      expect(published.filter((id) => !isLogged(id))).toEqual([]);
      await until('all events', () => ids.every((id) => done.has(id)), 60_000);
      last.child.kill();
      await last.ended;
      expect(failed.size).toBeGreaterThan(0);
      expect([...received().keys()].sort()).toEqual(ids.sort());
    },
    KILLS * 60_000,
  );

  it('should make the first call within a second of the transition when it is idle', async () => {
    const running = await start();
    await fixture.create(receiver.url);
    const times: number[] = [];
    for (let count = 0; count < FIRST_CALLS; count += 1) {
      await publishAt(running.url);
      const madeAt = performance.now();
      await until('the call', () => receiver.calls.length > count);
      times.push(performance.now() - madeAt);
      await wait(Math.random() * (isLong ? 1_000 : 200));
    }
    times.sort((one, other) => one - other);
    // A busy machine may delay a single call.
    expect(times.at(Math.min(Math.floor(FIRST_CALLS * 0.99), FIRST_CALLS - 2))).toBeLessThan(1_000);
    running.child.kill();
    await running.ended;
  }, 600_000);
});
