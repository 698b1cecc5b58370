import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../support/time/wait.js';
import { holdStream, keepLease, operationTime } from './support/barriers.js';
import { SCENARIOS, type Scenario } from './support/scenarios.js';
import { openFixture, type Fixture } from './support/fixture.js';

/**
 * Reads that fill a cache while a write overtakes them. The lease is held throughout, so that only the
 * generation and the invalidation can keep an old value out.
 */
describe('a read that fills a cache', () => {
  let server: Fixture;

  beforeAll(async () => {
    server = await openFixture();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  describe.each(SCENARIOS)('of %s', (_title, makeScenario) => {
    let scenario: Scenario;
    let read: () => Promise<string>;

    beforeEach(async () => {
      keepLease(server.app);
      scenario = await makeScenario(server);
      read = () => scenario.read(server.client);
      // The API key and the sessions are cached, so that the next read is the scenario's own.
      await server.client.get('/auth/verify/apikey');
      await server.author.client.get('/profile/mine');
      await server.editor.client.get('/profile/mine');
    });

    it('should show a write once it was acknowledged, before and after the stream reports it', async () => {
      const stream = holdStream(server.app);
      expect(await read()).toBe(scenario.before);
      await scenario.write();
      expect(await read()).toBe(scenario.after);
      stream.release();
      expect(await read()).toBe(scenario.after);
    });

    /** Begins a read, waits until the database has answered it, and holds its result and the change stream. */
    async function beginRead() {
      const stream = holdStream(server.app);
      const held = scenario.holdRead(server.app);
      const first = read();
      await held.untilRead();
      return { stream, held, first };
    }

    it('should be neither cached nor shared with a later read when it began before a write', async () => {
      const { stream, held, first } = await beginRead();
      await scenario.write();
      let second = 'none';
      const secondRead = read().then((value) => (second = value));
      await until('the second answer', () => second !== 'none', 5_000).finally(() =>
        held.release(),
      );
      await secondRead;
      expect(second).toBe(scenario.after);
      expect(await first).toBe(scenario.before);
      expect(await read()).toBe(scenario.after);
      stream.release();
      expect(await read()).toBe(scenario.after);
    });

    it('should not be cached when the stream reports a change of another process meanwhile', async () => {
      const { stream, held, first } = await beginRead();
      const since = await operationTime(server);
      await scenario.edit();
      await stream.untilChange(since);
      stream.release();
      held.release();
      expect(await first).toBe(scenario.before);
      expect(await read()).toBe(scenario.after);
    });

    it('should be invalidated when the stream reports a change of another process afterwards', async () => {
      const { stream, held, first } = await beginRead();
      const since = await operationTime(server);
      await scenario.edit();
      await stream.untilChange(since);
      held.release();
      expect(await first).toBe(scenario.before);
      // Until the stream reports the change, the cache may serve the old value.
      expect(await read()).toBe(scenario.before);
      stream.release();
      expect(await read()).toBe(scenario.after);
    });
  });
});
