/** From the start of the process to the first 200 of /health/ready, at a million articles. */
import { median, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { rowOf, type Row } from '../../report.ts';

export const name = 'start';
export const needs = { count: 1_000_000 };

const STARTS = 5;
const SECONDS_MAX = 2;

export async function run(bench: Bench): Promise<Row[]> {
  // Brings the database into shape, if an older Pressroom has seeded it.
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
      note: `${STARTS} starts in production, MIGRATE=off; asked every 20 ms`,
    }),
  ];
}
