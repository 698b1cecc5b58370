import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { untilServing } from './support/barriers.js';
import { SCENARIOS } from './support/scenarios.js';
import { openSecondServer, openFixture, type Fixture } from './support/fixture.js';

/** How long after a write was acknowledged another server may show the old value. */
const MAX_STALENESS_MS = 1_000;

/** Two servers with caches of their own, in this process, so that the test can look into both. */
describe('another server on the same database', () => {
  let server: Fixture;
  let second: TestApp;

  beforeAll(async () => {
    server = await openFixture();
    second = await openSecondServer(server);
  });

  describe.each(SCENARIOS)('with %s', (_title, makeScenario) => {
    it.each(['by the first server', 'by an edit of the database'] as const)(
      'should show the change within a second when it is made %s',
      async (how) => {
        const scenario = await makeScenario(server);
        await untilServing(second.app);
        // The second answer comes from the cache.
        for (let n = 0; n < 2; n++)
          expect(await scenario.read(second.client)).toBe(scenario.before);
        await (how === 'by an edit of the database' ? scenario.edit() : scenario.write());
        const acknowledgedAt = performance.now();
        let begunAt = 0;
        await until('the change', async () => {
          begunAt = performance.now();
          const value = await scenario.read(second.client);
          expect([scenario.before, scenario.after]).toContain(value);
          const isOld = value !== scenario.after;
          // The time ends when the read begins: how long its answer takes does not depend on the cache.
          if (isOld) expect(begunAt - acknowledgedAt).toBeLessThan(MAX_STALENESS_MS);
          return !isOld;
        });
        if (how === 'by the first server') {
          expect(await scenario.read(server.client)).toBe(scenario.after);
        }
        expect(await scenario.read(second.client)).toBe(scenario.after);
      },
    );
  });
});
