/** Resident memory of the process, idle and after minutes of mixed load. */
import { setTimeout as wait } from 'node:timers/promises';
import { median, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { mixedLoad } from '../../load/mixed-requests.ts';
import { rowOf, type Row } from '../../report.ts';

export const name = 'memory';
export const needs = { count: 1_000_000 };

const IDLE_MS = 10_000;
const IDLE_STARTS = 3;
const SAMPLE_MS = 1_000;
const RATE = 500;
const MINUTES = 4;
const MEGABYTE = 1024 ** 2;
/** By how much the last quarter may be above the second: a heap breathes. */
const FLAT = 1.1;
const THRESHOLDS = { idle: 170, loaded: 350 };
const ENV = { MIGRATE: 'off', CACHE_MB: '64' };

export async function run(bench: Bench): Promise<Row[]> {
  return [await measureIdle(bench), ...(await measureLoaded(bench))];
}

async function measureIdle(bench: Bench): Promise<Row> {
  const sizes: number[] = [];
  for (let start = 0; start < IDLE_STARTS; start += 1) {
    const server = await bench.startPressroom(ENV);
    await wait(IDLE_MS);
    sizes.push(server.residentBytes() / MEGABYTE);
    await server.stop();
  }
  return rowOf({
    case: 'memory, idle in production',
    value: median(sizes),
    spread: range(sizes),
    limit: { kind: 'max', value: THRESHOLDS.idle, unit: 'MB' },
    note: `resident, ${IDLE_MS / 1_000} s after ready, without docs; ${IDLE_STARTS} starts`,
  });
}

async function measureLoaded(bench: Bench): Promise<Row[]> {
  const server = await bench.startPressroom(ENV);
  const load = await mixedLoad(bench, server, RATE);
  const sizes: number[] = [];
  const sampling = setInterval(() => sizes.push(server.residentBytes() / MEGABYTE), SAMPLE_MS);
  let ours;
  try {
    [ours] = await load(MINUTES * 60);
  } finally {
    clearInterval(sampling);
  }
  const quarter = Math.floor(sizes.length / 4);
  const second = median(sizes.slice(quarter, 2 * quarter));
  const last = median(sizes.slice(-quarter));
  const note = `${MINUTES} minutes, ${RATE}/s and large articles written, CACHE_MB=64`;
  return [
    rowOf({
      case: 'memory, mixed load, most',
      ours,
      value: Math.max(...sizes),
      spread: range(sizes),
      limit: { kind: 'max', value: THRESHOLDS.loaded, unit: 'MB' },
      samples: sizes.map((size) => Math.round(size)),
      note,
    }),
    rowOf({
      case: 'memory, mixed load, last quarter over the second',
      ratio: last / second,
      limit: { kind: 'ratio-max', value: FLAT },
      note: `medians: ${second.toFixed(0)} MB, then ${last.toFixed(0)} MB; ${note}`,
    }),
  ];
}
