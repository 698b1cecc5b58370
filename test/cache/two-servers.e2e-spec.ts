import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/start-app.js';
import { until } from '../support/wait.js';
import { untilServing } from './support/barriers.js';
import { SCENES } from './support/scenarios.js';
import { openSecond, openStage, type Stage } from './support/fixture.js';

/** Milliseconds after a write was acknowledged in which others may still be shown what was. */
const PROMISE_MS = 1_000;

/** Each server has a memory of its own; both are of this process, so that both can be watched. */
describe('another server on the same database', () => {
  let stage: Stage;
  let second: TestApp;

  beforeAll(async () => {
    stage = await openStage();
    second = await openSecond(stage);
  });

  afterAll(async () => {
    await second.close();
    await stage.close();
  });

  describe.each(SCENES)('with %s', (_title, make) => {
    it.each(['by the first server', 'by a plain edit'] as const)(
      'should show it within a second when it is done %s',
      async (how) => {
        const scene = await make(stage);
        await untilServing(second.app);
        // The second answer comes from memory.
        for (let n = 0; n < 2; n++) expect(await scene.read(second.client)).toBe(scene.before);
        await (how === 'by a plain edit' ? scene.edit() : scene.write());
        const acknowledged = performance.now();
        let begun = 0;
        await until('the change', async () => {
          begun = performance.now();
          const seen = await scene.read(second.client);
          expect([scene.before, scene.after]).toContain(seen);
          const isOld = seen !== scene.after;
          // Judged by when the read began: how long its answer takes is not the memory's doing.
          if (isOld) expect(begun - acknowledged).toBeLessThan(PROMISE_MS);
          return !isOld;
        });
        if (how === 'by the first server') {
          expect(await scene.read(stage.client)).toBe(scene.after);
        }
        expect(await scene.read(second.client)).toBe(scene.after);
      },
    );
  });
});
