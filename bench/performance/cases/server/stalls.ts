/**
 * How late the event loop is while reads, sign-ins and articles of 100 KB come in. As in
 * `sign-ins`, the server is held to no core: its threads must run beside its event loop.
 */
import { join } from 'node:path';
import type { Measure } from '../../../load/measure.ts';
import { askBySignal } from '../../../support/signal.ts';
import { cycled, median, range } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import type { Delays } from '../../inspect/event-loop-delay.preload.ts';
import { mixedLoad } from '../../load/mixed-requests.ts';
import { rowOf, type Row } from '../../report.ts';

export const name = 'stalls';
export const needs = { count: 1_000 };

const PRELOAD = new URL('../../inspect/event-loop-delay.preload.ts', import.meta.url).href;
const RATE = 1_000;
const WARM_UP_SECONDS = 15;
const SECONDS = 20;
const ROUNDS = 3;
const BAR_MS = 10;

export async function run(bench: Bench): Promise<Row[]> {
  const file = join(bench.folder, 'event-loop-delay.json');
  const env = { EVENT_LOOP_DELAY_FILE: file };
  const server = await bench.startPressroom(env, { nodeOptions: ['--import', PRELOAD], cpu: null });
  /** Since it was last asked. */
  const takeDelays = async () => (await askBySignal(server.pid, file)) as Delays;
  const load = await mixedLoad(bench, server, RATE);
  // What compiles now, compiles once.
  await load(WARM_UP_SECONDS);
  await takeDelays();
  const rounds: { reads: Measure; writes: Measure; delays: Delays }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [reads, writes] = await load(SECONDS);
    rounds.push({ reads, writes, delays: await takeDelays() });
  }
  const { reads } = cycled(rounds, ROUNDS - 1);
  const writesPerSecond = median(rounds.map(({ writes }) => writes.rate));
  const writesP50 = median(rounds.map(({ writes }) => writes.p50));
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
        `${RATE} reads and sign-ins a second and ${writesPerSecond.toFixed(1)} writes of 100 KB ` +
        `(p50 ${writesP50.toFixed(0)} ms), reads' p99 ${readsP99.toFixed(1)} ms`,
    }),
  ];
}
