/**
 * Bar 13: what two processes that share the port answer per second of processor time, over what one
 * does. Both get all cores, and the clients share the last one with them, so rates say less here
 * than processor time.
 */
import { signInStorm } from '../load/sign-in-storm.mjs';
import { writeLoop } from '../load/write-loop.mjs';
import { processTree } from '../process.mjs';
import { notRun, rowOf } from '../report.mjs';
import { textsOf } from '../texts.mjs';

export const name = 'workers';
export const bars = [13];
export const needs = { count: 1_000 };

const WORKERS = 2;
const BAR = 0.9;
const WRITE_CONNECTIONS = 16;
const TEXTS = 20;
const TEXT_BYTES = 5_000;
/** Fewer than the queue of one process holds: what is refused would cost and count for nothing. */
const SIGN_INS_IN_FLIGHT = 16;
/** Sign-ins take a tenth of a second each; fewer would be counted in too large steps. */
const SIGN_IN_SECONDS = 10;
const HOT_CONNECTIONS = 64;

export async function run(bench) {
  const cpu = bench.cpus.server === null ? null : `${bench.cpus.server},${bench.cpus.load}`;
  const env = { ACCESS_TOKEN_TTL: '12h' };
  const one = await bench.startPressroom({ ...env, WORKERS: '1' }, { cpu });
  const two = await bench.startPressroom({ ...env, WORKERS: String(WORKERS) }, { cpu });
  if (processTree(two.pid).length < WORKERS) {
    return [notRun(13, 'two workers', 'this Pressroom does not know WORKERS')];
  }
  const token = await one.signIn(bench.world.authors[0]);
  const rows = [];
  for (const [what, load] of Object.entries(loadsOf(bench, token))) {
    const { ours, baseline, ratio, spread } = await bench.rounds({
      ours: load(two),
      baseline: load(one),
      of: 'perCpuSecond',
    });
    rows.push(
      rowOf({
        bar: 13,
        case: `${what}, per CPU-second of two workers over one`,
        ours,
        baseline,
        ratio,
        spread,
        limit: { kind: 'ratio-min', value: BAR },
        note:
          'both on all cores, which the clients share; ' +
          `${what}: rate ${(ours.rate / baseline.rate).toFixed(2)} x that of one`,
      }),
    );
  }
  return rows;
}

/** Each: from a server to a function that measures once. */
function loadsOf(bench, token) {
  const { world } = bench;
  const key = { 'x-api-key': world.apiKey };
  const path = `/blog/slug/${encodeURIComponent(world.slugs[0])}`;
  const texts = textsOf(bench.options, { count: TEXTS, bytes: TEXT_BYTES });
  let run = 0;
  return {
    'hot reads': (server) => (options) =>
      bench.closedLoop({ server, path, headers: key, connections: HOT_CONNECTIONS, ...options }),
    'sign-ins': (server) => () =>
      measuredBy(server, (ready) =>
        signInStorm(
          {
            server,
            accounts: world.readers,
            apiKey: world.apiKey,
            read: { path, headers: key },
            ready,
            inFlight: SIGN_INS_IN_FLIGHT,
            seconds: SIGN_IN_SECONDS,
            waitsWhenRefused: true,
          },
          bench.cpus,
        ),
      ),
    writes: (server) => (options) => {
      run += 1;
      const prefix = `by-workers-${Date.now().toString(36)}-${run}`;
      const headers = { ...key, authorization: `Bearer ${token}` };
      const job = { headers, texts, prefix, connections: WRITE_CONNECTIONS, ...options };
      return writeLoop({ server, ...job }, bench.cpus);
    },
  };
}

async function measuredBy(server, load) {
  let before = NaN;
  const measure = await load(async () => {
    before = server.cpuSeconds();
  });
  const { requests } = measure;
  return { ...measure, perCpuSecond: requests / (server.cpuSeconds() - before) };
}
