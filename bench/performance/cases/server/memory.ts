/** Resident memory of the process that has nothing to do. */
import { setTimeout as wait } from 'node:timers/promises';
import { median, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { rowOf, type Row } from '../../report.ts';

export const name = 'memory';
export const needs = { count: 1_000_000 };

const IDLE_MS = 10_000;
const STARTS = 3;
const MEGABYTE = 1024 ** 2;
const MEGABYTES_MAX = 170;

export async function run(bench: Bench): Promise<Row[]> {
  const sizes: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
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
      note: `resident, ${IDLE_MS / 1_000} s after ready, without docs; ${STARTS} starts`,
    }),
  ];
}
