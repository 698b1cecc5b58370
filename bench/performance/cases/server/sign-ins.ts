/**
 * Reads of cached articles at a fixed rate while 200 clients sign in. The server is held to no
 * core here, because its password threads must run beside its event loop; MongoDB and the clients
 * are, as everywhere.
 */
import { together } from '../../../load/client-process.ts';
import type { CheckedRequest } from '../../../load/open-loop.ts';
import { cycled, median, mediansOf, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { readBodies } from '../../inspect/answers.ts';
import { measureHashCapacity } from '../../inspect/hash-capacity.ts';
import { articlePath, CACHED_ARTICLES } from '../../load/mixed-requests.ts';
import { signInRepeatedly } from '../../load/sign-ins.ts';
import { rowOf, type Row } from '../../report.ts';
import type { Server } from '../../servers.ts';

export const name = 'sign-ins';
export const needs = { count: 1_000 };

const READS_PER_SECOND = 2_000;
const IN_FLIGHT = 200;
const QUIET_SECONDS = 10;
const BESIDE_SECONDS = 20;
const WARM_UP_SECONDS = 5;
const ROUNDS = 3;
const CAPACITY_SECONDS = 5;
const BARS = { p99MoreMs: 10, completedShare: 0.85 };

type Ready = () => Promise<void>;

/** What a client does that was answered 503. */
const CLIENTS = [
  { which: 'refused ones wait as told', waitsWhenRefused: true },
  { which: 'refused ones ask again at once', waitsWhenRefused: false },
];

export async function run(bench: Bench): Promise<Row[]> {
  const { data, cpus } = bench;
  const server = await bench.startPressroom({}, { cpu: null });
  const requests = await cachedReads(bench, server);
  const read = (seconds: number, ready?: Ready) =>
    bench.openLoop({ server, requests, rate: READS_PER_SECOND, seconds, ready });
  const clients = {
    ...{ accounts: data.readers, inFlight: IN_FLIGHT },
    ...{ read: cycled(requests, 0), headers: { 'x-api-key': data.apiKey } },
  };
  // Or the first seconds of a new server would count as those of one that has run for a while.
  await read(WARM_UP_SECONDS);
  const warmUp = { ...clients, seconds: WARM_UP_SECONDS, waitsWhenRefused: true };
  await signInRepeatedly({ server, job: warmUp }, cpus);
  const rows: Row[] = [];
  for (const { which, waitsWhenRefused } of CLIENTS) {
    const job = { ...clients, seconds: BESIDE_SECONDS, waitsWhenRefused };
    const signIn = (ready: Ready) => signInRepeatedly({ server, job, ready }, cpus);
    rows.push(...rowsOf(which, await measure(data.password, read, signIn)));
  }
  return rows;
}

async function cachedReads({ data }: Bench, server: Server): Promise<CheckedRequest[]> {
  const headers = { 'x-api-key': data.apiKey };
  const paths = data.slugs.slice(0, CACHED_ARTICLES).map(articlePath);
  const answers = await readBodies(server, paths, headers);
  return answers.map((answer, at) => ({ path: cycled(paths, at), headers, answer }));
}

async function measure(
  password: string,
  read: (seconds: number, ready?: Ready) => ReturnType<Bench['openLoop']>,
  signIn: (ready: Ready) => ReturnType<typeof signInRepeatedly>,
) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const capacity = await measureHashCapacity(password, CAPACITY_SECONDS);
    const quiet = await read(QUIET_SECONDS);
    const ready = together(2);
    const [beside, signIns] = await Promise.all([read(BESIDE_SECONDS, ready), signIn(ready)]);
    rounds.push({ capacity, quiet, beside, signIns });
  }
  return rounds;
}

function rowsOf(which: string, rounds: Awaited<ReturnType<typeof measure>>): Row[] {
  const quiet = mediansOf(rounds.map((round) => round.quiet));
  const beside = mediansOf(rounds.map((round) => round.beside));
  const capacity = mediansOf(rounds.map((round) => round.capacity));
  const more = rounds.map((round) => round.beside.p99 - round.quiet.p99);
  const shares = rounds.map(({ signIns, capacity: { rate } }) => signIns.rate / rate);
  const { rate, p50, p99, p999 } = mediansOf(rounds.map(({ signIns }) => signIns));
  const refused = rounds.reduce((sum, { signIns }) => sum + signIns.refused, 0);
  return [
    rowOf({
      case: `cached reads at ${READS_PER_SECOND}/s beside ${IN_FLIGHT} sign-ins: ${which}`,
      ours: beside,
      baseline: quiet,
      value: median(more),
      spread: range(more),
      limit: { kind: 'max', value: BARS.p99MoreMs, unit: 'ms' },
      note:
        'p99 more than quiet (the line below it); server held to no core; no read failed; 99 of 100 ' +
        `were sent at most ${beside.late99.toFixed(1)} ms late, ` +
        `${quiet.late99.toFixed(1)} when quiet`,
    }),
    rowOf({
      case: `sign-ins, of what the hash allows: ${which}`,
      // Without the processor time, which is that of the reads as well.
      ours: { rate, p50, p99, p999 },
      ratio: median(shares),
      spread: range(shares),
      limit: { kind: 'ratio-min', value: BARS.completedShare },
      note:
        `the hash allows ${capacity.rate.toFixed(1)}/s on ` +
        `${capacity.threads} thread; ${refused} were refused with 503`,
    }),
  ];
}
