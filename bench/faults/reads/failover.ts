import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../../support/statistics.ts';
import type { Bed } from '../bed/bed.ts';
import { time } from '../bed/client.ts';
import type { Member } from '../bed/member.ts';
import { SLOWER, type Form, type Row } from '../program.ts';
import { epochNow, startLoad, type Sample } from './load.ts';

const RATE = 200;
const WARM_UP_MS = 1_500;
const AFTERWARDS_MS = 1_000;
/** Longer than any wait of a server or its driver. */
const FAULT_MS = 13_000;
const P99_MS = 250;
const LINES = 12;

export interface Failover {
  readonly fault: string;
  readonly longestMs: number;
  readonly hasP99: boolean;
  readonly run: (primary: Member) => Promise<void>;
}

export const FAILOVERS: readonly Failover[] = [
  {
    ...{ fault: 'primary killed', longestMs: 1_000, hasP99: true },
    run: (primary) => primary.kill(),
  },
  {
    ...{ fault: 'primary stepped down', longestMs: 1_000, hasP99: true },
    run: (primary) => primary.stepDown(10),
  },
  {
    ...{ fault: 'primary paused', longestMs: 2_000, hasP99: false },
    run: (primary) => primary.suspend(),
  },
];

interface Circumstances {
  readonly paths: readonly string[];
  readonly electionTimeoutMs: number;
  readonly form: Form;
}

/** Reads at a fixed rate while the primary is lost, until another is elected and the first is back. */
export async function measureFailover(
  bed: Bed,
  { fault, hasP99, run, ...bars }: Failover,
  { paths, electionTimeoutMs, form }: Circumstances,
): Promise<Row> {
  const { replicaSet, servers } = bed;
  console.error(`${time()} ${fault}, election timeout ${electionTimeoutMs} ms`);
  const primary = await replicaSet.primary();
  const end = startLoad({ urls: servers.map(({ url }) => url), paths, rate: RATE });
  await wait(WARM_UP_MS);
  const from = epochNow();
  await run(primary);
  // Without an election by then, what is to be seen was seen.
  await replicaSet.primary(primary, FAULT_MS).catch(() => null);
  const electedAt = epochNow();
  await wait(AFTERWARDS_MS);
  await bed.heal();
  await wait(AFTERWARDS_MS);
  const samples = (await end()).filter(({ due, ms }) => due + ms >= from);
  const during = samples.filter(({ due }) => due <= electedAt);
  const errors = samples.filter(({ result }) => result !== '200');
  const p99 = quantile(
    during.map(({ ms }) => ms),
    0.99,
  );
  const longest = Math.max(...samples.map(({ ms }) => ms));
  const p99Bar = P99_MS * SLOWER[form];
  const longestBar = bars.longestMs * SLOWER[form];
  const texts = [
    '0 errors',
    ...(hasP99 ? [`p99 ≤ ${p99Bar} ms`] : []),
    `longest ≤ ${longestBar} ms`,
  ];
  return {
    ...{ promise: 'public reads go on', bar: texts.join(', ') },
    fault: `${fault}, election timeout ${electionTimeoutMs / 1_000} s`,
    measured: `${errors.length} of ${samples.length}, ${Math.round(p99)} ms, ${Math.round(longest)} ms`,
    isKept: errors.length === 0 && longest <= longestBar && (!hasP99 || p99 <= p99Bar),
    history: [
      `another primary, or the end of the fault, after ${Math.round(electedAt - from)} ms`,
      ...worst(samples, from).map((sample) => lineOf(sample, from)),
    ],
  };
}

/** Errors first, then the longest. */
function worst(samples: readonly Sample[], from: number): readonly Sample[] {
  const isError = ({ result }: Sample) => (result === '200' ? 0 : 1);
  return samples
    .filter(({ due, ms }) => due + ms >= from)
    .toSorted((one, other) => isError(other) - isError(one) || other.ms - one.ms)
    .slice(0, LINES);
}

function lineOf({ due, ms, where, result }: Sample, from: number): string {
  return `+${Math.round(due - from)} ms: ${where}: ${result} after ${Math.round(ms)} ms`;
}
