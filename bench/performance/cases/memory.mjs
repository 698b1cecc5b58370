/** Bar 10: resident memory of the process, idle and after minutes of mixed load. */
import { setTimeout as wait } from 'node:timers/promises';
import { mixedRequests, writeLarge } from '../mixed-load.mjs';
import { rowOf } from '../report.mjs';
import { median } from '../rounds.mjs';
import { textsOf } from '../texts.mjs';

export const name = 'memory';
export const bars = [10];
export const needs = { count: 1_000_000 };

const IDLE_MS = 10_000;
const IDLE_STARTS = 3;
const SAMPLE_MS = 1_000;
const RATE = 500;
const MINUTES = 4;
const TEXTS = 20;
/** Below the limit of 100,000 characters, with what a writer puts at the end. */
const LARGE = 98_000;
const MEGABYTE = 1024 ** 2;
/** By how much the last quarter may be above the second: a heap breathes. */
const FLAT = 1.1;
const BARS = { idle: 170, loaded: 350 };

export async function run(bench) {
  return [await measureIdle(bench), ...(await measureLoaded(bench))];
}

async function measureIdle(bench) {
  const sizes = [];
  for (let start = 0; start < IDLE_STARTS; start += 1) {
    const server = await bench.startPressroom({ MIGRATE: 'off', CACHE_MB: '64' });
    await wait(IDLE_MS);
    sizes.push(server.rssBytes() / MEGABYTE);
    await server.stop();
  }
  return rowOf({
    bar: 10,
    case: 'memory, idle in production',
    ours: null,
    value: median(sizes),
    spread: [Math.min(...sizes), Math.max(...sizes)],
    limit: { kind: 'max', value: BARS.idle, unit: 'MB' },
    note: `resident, ${IDLE_MS / 1_000} s after ready, without docs; ${IDLE_STARTS} starts`,
  });
}

async function measureLoaded(bench) {
  const server = await bench.startPressroom({ MIGRATE: 'off', CACHE_MB: '64' });
  const [author] = bench.world.authors;
  const token = await server.signIn(author);
  const requests = mixedRequests(bench, token);
  const texts = textsOf(bench.options, { count: TEXTS, bytes: LARGE });
  const seconds = MINUTES * 60;
  const { apiKey } = bench.world;
  const sizes = [];
  const sampling = setInterval(() => sizes.push(server.rssBytes() / MEGABYTE), SAMPLE_MS);
  let reads;
  try {
    [reads] = await Promise.all([
      bench.openLoop({ server, requests, rate: RATE, seconds }),
      writeLarge({ server, apiKey, token, texts, seconds }, bench.cpus),
    ]);
  } finally {
    clearInterval(sampling);
  }
  const quarter = Math.floor(sizes.length / 4);
  const second = median(sizes.slice(quarter, 2 * quarter));
  const last = median(sizes.slice(-quarter));
  const note = `${MINUTES} minutes, ${RATE}/s and large articles written, CACHE_MB=64`;
  return [
    rowOf({
      bar: 10,
      case: 'memory, mixed load, most',
      ours: reads,
      value: Math.max(...sizes),
      spread: [Math.min(...sizes), Math.max(...sizes)],
      limit: { kind: 'max', value: BARS.loaded, unit: 'MB' },
      samples: sizes.map((size) => Math.round(size)),
      note,
    }),
    rowOf({
      bar: 10,
      case: 'memory, mixed load, last quarter over the second',
      ours: null,
      ratio: last / second,
      limit: { kind: 'ratio-max', value: FLAT },
      note: `medians: ${second.toFixed(0)} MB, then ${last.toFixed(0)} MB; ${note}`,
    }),
  ];
}
