/**
 * How late the event loop is while reads, sign-ins and articles of 100 KB come in. As in
 * `sign-ins`, the server is held to no core: its threads must run beside its event loop.
 */
import { together } from '../../../load/client-process.ts';
import { cycled, median, quantile, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { startWatched, type Delays } from '../../inspect/event-loop-delay.ts';
import { mixedRequests } from '../../load/mixed-requests.ts';
import { LARGE_TEXTS, textsOf } from '../../load/texts.ts';
import { writeLarge } from '../../load/writes.ts';
import { rowOf, type Row } from '../../report.ts';

export const name = 'stalls';
export const needs = { count: 1_000 };

const RATE = 1_000;
const WARM_UP_SECONDS = 15;
const SECONDS = 20;
const ROUNDS = 3;
const BAR_MS = 10;

export async function run(bench: Bench): Promise<Row[]> {
  const { data, cpus } = bench;
  const server = await startWatched(bench, null);
  const token = await server.signIn(cycled(data.authors, 0));
  const headers = { 'x-api-key': data.apiKey, authorization: `Bearer ${token}` };
  const requests = mixedRequests(data, token);
  const texts = textsOf(bench.options, LARGE_TEXTS);
  const load = (seconds: number) => {
    const ready = together(2);
    return Promise.all([
      bench.openLoop({ server, requests, rate: RATE, seconds, ready }),
      writeLarge(server, { headers, texts, seconds, connections: 1 }, cpus, ready),
    ]);
  };
  // What compiles now, compiles once.
  await load(WARM_UP_SECONDS);
  await server.takeDelays();
  type Loads = Awaited<ReturnType<typeof load>>;
  const rounds: { reads: Loads[0]; writes: Loads[1]; delays: Delays }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [reads, writes] = await load(SECONDS);
    rounds.push({ reads, writes, delays: await server.takeDelays() });
  }
  const { reads } = cycled(rounds, ROUNDS - 1);
  const writes = rounds.flatMap((round) => round.writes);
  const delaysOf = (field: 'p50' | 'p99' | 'p999' | 'max') =>
    rounds.map(({ delays }) => delays[field]);
  const p999 = median(delaysOf('p999'));
  const readsP99 = median(rounds.map((round) => round.reads.p99));
  return [
    rowOf({
      case: 'event-loop delay p99.9 under mixed load',
      ours: { ...reads, p50: median(delaysOf('p50')), p99: median(delaysOf('p99')), p999 },
      value: p999,
      spread: range(delaysOf('p999')),
      limit: { kind: 'max', value: BAR_MS, unit: 'ms' },
      note:
        `the times are delays; longest ${Math.max(...delaysOf('max')).toFixed(1)} ms; ` +
        `${RATE} reads and sign-ins a second and ${(writes.length / (ROUNDS * SECONDS)).toFixed(1)} ` +
        `writes of 100 KB (p50 ${quantile(writes, 0.5).toFixed(0)} ms), reads' p99 ` +
        `${readsP99.toFixed(1)} ms`,
    }),
  ];
}
