import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventsStored, relay } from '../../blog/history/stored-events.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { SERVER_NAME } from '../../support/query-plans/profiler.js';
import { openWebhookFixture, type WebhookFixture } from './fixture.js';
import type { Receiver } from './receiver.js';

const TIMEOUT_MS = 60_000;

/** The data of the fail point, by what the database does. */
const FAULTS = {
  'closes the connection': { closeConnection: true },
  'has stepped down': { errorCode: 10_107 },
} as const;

type Fault = (typeof FAULTS)[keyof typeof FAULTS];

describe('a database', () => {
  let mongod: OwnMongo;
  let fixture: WebhookFixture;
  let receiver: Receiver;

  beforeAll(async () => {
    mongod = await OwnMongo.create({ hasFailPoints: true });
    fixture = await openWebhookFixture({ uri: mongod.uri('faults') });
  }, TIMEOUT_MS);

  beforeEach(async () => {
    receiver = await fixture.resetWithReceiver();
    await fixture.create(receiver.url);
  });

  afterAll(async () => {
    await fixture.close();
    await mongod.remove();
  }, TIMEOUT_MS);

  /** Runs a job whose insert fails twice: the write, and the driver's retry of it. */
  async function failTwice(fault: Fault, job: () => Promise<unknown>): Promise<void> {
    const data = { failCommands: ['insert'], appName: SERVER_NAME, ...fault };
    const before = await mongod.failPoint('failCommand', { times: 2 }, data);
    await expect(job()).rejects.toThrow();
    // MongoDB returns how often the fail point was hit.
    expect(await mongod.failPoint('failCommand', 'off')).toBe(before + 2);
  }

  describe.each(Object.entries(FAULTS))('that %s', (_name, fault) => {
    it('should lose no event of the history while it is stored', async () => {
      const { _id } = await fixture.publish();
      await failTwice(fault, () => relay(fixture));
      await relay(fixture);
      const stored = await eventsStored(fixture.db, _id);
      expect(stored.map(({ move }) => move)).toEqual(['create', 'submit', 'publish']);
    });

    it('should lose no event of a webhook while its delivery is stored', async () => {
      await fixture.publish();
      await relay(fixture);
      await failTwice(fault, () => fixture.dispatch());
      await fixture.dispatch();
      expect(receiver.types).toEqual(['blog.published']);
    });
  });
});
