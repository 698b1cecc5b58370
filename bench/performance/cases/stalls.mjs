/**
 * Bar 9: how late the event loop is while reads, sign-ins and articles of 100 KB come in. As in
 * `storm`, the server is held to no core: its threads must run beside its event loop.
 */
import { startWatched } from '../event-loop-delay.mjs';
import { together } from '../load/open-loop.mjs';
import { mixedRequests, writeLarge } from '../mixed-load.mjs';
import { rowOf } from '../report.mjs';
import { median, percentile } from '../rounds.mjs';
import { textsOf } from '../texts.mjs';

export const name = 'stalls';
export const bars = [9];
export const needs = { count: 1_000 };

const RATE = 1_000;
const WARM_UP_SECONDS = 15;
const SECONDS = 20;
const ROUNDS = 3;
const TEXTS = 20;
/** Below the limit of 100,000 characters, with what a writer puts at the end. */
const LARGE = 98_000;
const BAR_MS = 10;

export async function run(bench) {
  const server = await startWatched(bench, { cpu: null });
  const [author] = bench.world.authors;
  const token = await server.signIn(author);
  const requests = mixedRequests(bench, token);
  const texts = textsOf(bench.options, { count: TEXTS, bytes: LARGE });
  const { apiKey } = bench.world;
  const load = (seconds) => {
    const ready = together(2);
    return Promise.all([
      bench.openLoop({ server, requests, rate: RATE, seconds, ready }),
      writeLarge({ server, apiKey, token, texts, seconds, ready }, bench.cpus),
    ]);
  };
  // What compiles now, compiles once.
  await load(WARM_UP_SECONDS);
  await server.takeDelays();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [reads, writes] = await load(SECONDS);
    rounds.push({ reads, writes, delays: await server.takeDelays() });
  }
  const p999s = rounds.map(({ delays }) => delays.p999);
  const middle = (of) => median(rounds.map(of));
  const writes = rounds.flatMap((round) => round.writes);
  const { reads } = rounds.at(-1);
  return [
    rowOf({
      bar: 9,
      case: 'event-loop delay p99.9 under mixed load',
      ours: {
        ...reads,
        p50: middle(({ delays }) => delays.p50),
        p99: middle(({ delays }) => delays.p99),
        p999: median(p999s),
      },
      value: median(p999s),
      spread: [Math.min(...p999s), Math.max(...p999s)],
      limit: { kind: 'max', value: BAR_MS, unit: 'ms' },
      note:
        `the times are delays; longest ${Math.max(...rounds.map(({ delays }) => delays.max)).toFixed(1)} ms; ` +
        `${RATE} reads and sign-ins a second and ${(writes.length / (ROUNDS * SECONDS)).toFixed(1)} ` +
        `writes of 100 KB (p50 ${percentile(writes, 0.5).toFixed(0)} ms), reads' p99 ` +
        `${middle((round) => round.reads.p99).toFixed(1)} ms`,
    }),
  ];
}
