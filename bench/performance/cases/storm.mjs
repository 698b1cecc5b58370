/**
 * Bar 6: reads of hot articles at a fixed rate while 200 clients sign in. The server is held to no
 * core here, because its password threads must run beside its event loop; MongoDB and the clients
 * are, as everywhere.
 */
import { measureHashCapacity } from '../hash-capacity.mjs';
import { together } from '../load/open-loop.mjs';
import { signInStorm } from '../load/sign-in-storm.mjs';
import { rowOf } from '../report.mjs';
import { median } from '../rounds.mjs';

export const name = 'storm';
export const bars = [6];
export const needs = { count: 1_000 };

const READS_PER_SECOND = 2_000;
const HOT_ARTICLES = 20;
const IN_FLIGHT = 200;
const QUIET_SECONDS = 10;
const STORM_SECONDS = 20;
const WARM_UP_SECONDS = 5;
const ROUNDS = 3;
const CAPACITY_SECONDS = 5;
const BARS = { p99MoreMs: 10, completedShare: 0.85 };

/** What a client does that was answered 503. */
const CLIENTS = [
  { which: 'refused ones wait as told', waitsWhenRefused: true },
  { which: 'refused ones ask again at once', waitsWhenRefused: false },
];

export async function run(bench) {
  const server = await bench.startPressroom({}, { cpu: null });
  const requests = await hotReads(bench, server);
  const read = (seconds, ready) =>
    bench.openLoop({ server, requests, rate: READS_PER_SECOND, seconds, ready });
  const { readers: accounts, apiKey } = bench.world;
  const storm = { server, accounts, apiKey, read: requests[0], inFlight: IN_FLIGHT };
  // Or the first seconds of a cold server would count as those of a warm one.
  await read(WARM_UP_SECONDS);
  await signInStorm({ ...storm, seconds: WARM_UP_SECONDS, waitsWhenRefused: true }, bench.cpus);
  const rows = [];
  for (const { which, waitsWhenRefused } of CLIENTS) {
    const measured = await measure(bench, read, { ...storm, waitsWhenRefused });
    rows.push(...rowsOf(which, measured));
  }
  return rows;
}

async function hotReads({ world }, server) {
  const headers = { 'x-api-key': world.apiKey };
  const requests = [];
  for (const slug of world.slugs.slice(0, HOT_ARTICLES)) {
    const path = `/blog/slug/${encodeURIComponent(slug)}`;
    const response = await fetch(`${server.url}${path}`, { headers });
    requests.push({ method: 'GET', path, headers, answer: await response.text() });
  }
  return requests;
}

async function measure(bench, read, storm) {
  const measured = { quiet: [], beside: [], signIns: [], capacity: [] };
  const { password } = bench.world;
  for (let round = 0; round < ROUNDS; round += 1) {
    measured.capacity.push(await measureHashCapacity(password, CAPACITY_SECONDS));
    measured.quiet.push(await read(QUIET_SECONDS));
    const ready = together(2);
    const [beside, signIns] = await Promise.all([
      read(STORM_SECONDS, ready),
      signInStorm({ ...storm, seconds: STORM_SECONDS, ready }, bench.cpus),
    ]);
    measured.beside.push(beside);
    measured.signIns.push(signIns);
  }
  return measured;
}

function rowsOf(which, { quiet, beside, signIns, capacity }) {
  const middle = (measures, field) => median(measures.map((measure) => measure[field]));
  const mediansOf = (measures) =>
    Object.fromEntries(Object.keys(measures[0]).map((field) => [field, middle(measures, field)]));
  const more = beside.map(({ p99 }, round) => p99 - quiet[round].p99);
  const shares = signIns.map(({ rate }, round) => rate / capacity[round].rate);
  const refused = signIns.reduce((sum, measure) => sum + measure.refused, 0);
  return [
    rowOf({
      bar: 6,
      case: `hot reads at ${READS_PER_SECOND}/s beside ${IN_FLIGHT} sign-ins: ${which}`,
      ours: mediansOf(beside),
      baseline: mediansOf(quiet),
      value: median(more),
      spread: [Math.min(...more), Math.max(...more)],
      limit: { kind: 'max', value: BARS.p99MoreMs, unit: 'ms' },
      note:
        'p99 more than quiet (the line below it); server held to no core; no read failed; 99 of 100 ' +
        `were sent at most ${middle(beside, 'late99').toFixed(1)} ms late, ` +
        `${middle(quiet, 'late99').toFixed(1)} when quiet`,
    }),
    rowOf({
      bar: 6,
      case: `sign-ins, of what the hash allows: ${which}`,
      ours: mediansOf(signIns),
      ratio: median(shares),
      spread: [Math.min(...shares), Math.max(...shares)],
      limit: { kind: 'ratio-min', value: BARS.completedShare },
      note:
        `the hash allows ${middle(capacity, 'rate').toFixed(1)}/s on ` +
        `${capacity[0].threads} thread; ${refused} were refused with 503`,
    }),
  ];
}
