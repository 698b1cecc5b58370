/** Measures the process with a database of a million articles: its start, and its memory when idle. */
import { setTimeout as wait } from 'node:timers/promises';
import { median, range } from '../../../support/statistics.ts';
import { MEGABYTE } from '../../../support/servers/pressroom.ts';
import type { Case } from '../../bench.ts';
import { rowOf } from '../../report.ts';

const NEEDS = { count: 1_000_000 };
const STARTS = 5;
const SECONDS_MAX = 2;
const IDLE_MS = 10_000;
const IDLE_STARTS = 3;
const MEGABYTES_MAX = 170;

/** Measures the time from the start of the process to the first 200 of /health/ready. */
export const START: Case = {
  name: 'start',
  needs: NEEDS,
  async run(bench) {
    // The first start migrates the database, in case an older version has seeded it.
    await (await bench.startPressroom({ MIGRATE: 'on' })).stop();
    const times: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const startedAt = performance.now();
      const server = await bench.startPressroom({ MIGRATE: 'off' });
      times.push((performance.now() - startedAt) / 1_000);
      await server.stop();
    }
    return [
      rowOf({
        case: 'start to ready',
        value: median(times),
        spread: range(times),
        limit: { kind: 'max', value: SECONDS_MAX, unit: 's' },
        note: `${STARTS} starts in production, MIGRATE=off; /health/ready read every 20 ms`,
      }),
    ];
  },
};

/** Measures the resident memory of an idle process. */
export const MEMORY: Case = {
  name: 'memory',
  needs: NEEDS,
  async run(bench) {
    const sizes: number[] = [];
    for (let start = 0; start < IDLE_STARTS; start += 1) {
      const server = await bench.startPressroom({ MIGRATE: 'off', CACHE_MB: '64' });
      await wait(IDLE_MS);
      sizes.push(server.residentBytes() / MEGABYTE);
      await server.stop();
    }
    return [
      rowOf({
        case: 'memory, idle in production',
        value: median(sizes),
        spread: range(sizes),
        limit: { kind: 'max', value: MEGABYTES_MAX, unit: 'MB' },
        note: `resident, ${IDLE_MS / 1_000} s after ready, without docs; ${IDLE_STARTS} starts`,
      }),
    ];
  },
};
