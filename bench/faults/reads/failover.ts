import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { startClient } from '../../load/client-process.ts';
import { OPEN_LOOP, type OpenJob, type OpenReport, type Sample } from '../../load/open-loop.ts';
import { UNPINNED } from '../../support/machine/cpus.ts';
import { quantile, shuffled } from '../../support/statistics.ts';
import type { Finding } from '../../support/findings.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { time } from '../testbed/client.ts';
import type { Member } from '../testbed/member.ts';
import { SLOWDOWN, type Form } from '../program.ts';

/** Number of reads a second, to all servers together. */
const RATE = 200;
const WARM_UP_SECONDS = 1.5;
/** Number of connections. It is large enough for all requests that wait while a server answers none. */
const CONNECTIONS = 2_000;
const DEADLINE_MS = 20_000;
const PAUSE_MS = 1_000;
/** Longest duration of a fault in milliseconds: longer than every timeout of the server and its driver. */
const FAULT_MS = 13_000;
const P99_MS = 250;
const WORST_SHOWN = 12;

export interface Failover {
  readonly fault: string;
  readonly longestReadMs: number;
  readonly limitsP99: boolean;
  readonly run: (primary: Member) => Promise<void>;
}

export const FAILOVERS: readonly Failover[] = [
  {
    fault: 'primary killed',
    longestReadMs: 1_000,
    limitsP99: true,
    run: (primary) => primary.kill(),
  },
  {
    fault: 'primary stepped down',
    longestReadMs: 1_000,
    limitsP99: true,
    run: (primary) => primary.stepDown(10),
  },
  {
    fault: 'primary paused',
    longestReadMs: 2_000,
    limitsP99: false,
    run: (primary) => primary.suspend(),
  },
];

interface Circumstances {
  readonly paths: readonly string[];
  readonly electionTimeoutMs: number;
  readonly form: Form;
}

/** Reads at a fixed rate while the primary is lost, until another member is elected and the lost member is back. */
export async function measureFailover(
  testbed: Testbed,
  { fault, limitsP99, run, ...thresholds }: Failover,
  { paths, electionTimeoutMs, form }: Circumstances,
): Promise<Finding> {
  const { replicaSet, servers } = testbed;
  console.error(`${time()} ${fault}, election timeout ${electionTimeoutMs} ms`);
  const primary = await replicaSet.primary();
  const ends = await Promise.all(
    servers.map(({ url }) => startReaders(url, paths, servers.length)),
  );
  await wait(PAUSE_MS);
  const from = epochNow();
  await run(primary);
  // If no election takes place, the measurement continues after FAULT_MS.
  await replicaSet.primary(primary, FAULT_MS).catch(() => null);
  const electedAt = epochNow();
  await wait(PAUSE_MS);
  await testbed.heal();
  await wait(PAUSE_MS);
  const all = (await Promise.all(ends.map((end) => end()))).flat();
  const samples = all.filter(({ due, ms }) => due + ms >= from);
  const untilElection = samples.filter(({ due }) => due <= electedAt);
  const errors = samples.filter(({ result }) => result !== 'right');
  const p99 = quantile(
    untilElection.map(({ ms }) => ms),
    0.99,
  );
  const longest = Math.max(...samples.map(({ ms }) => ms));
  const p99Max = P99_MS * SLOWDOWN[form];
  const longestMax = thresholds.longestReadMs * SLOWDOWN[form];
  const texts = ['0', ...(limitsP99 ? [`p99 ≤ ${p99Max} ms`] : []), `longest ≤ ${longestMax} ms`];
  return {
    what: 'errors, p99 and longest public read',
    threshold: texts.join(', '),
    group: `${fault}, election timeout ${electionTimeoutMs / 1_000} s`,
    measured: `${errors.length} of ${samples.length}, ${Math.round(p99)} ms, ${Math.round(longest)} ms`,
    isMet: errors.length === 0 && longest <= longestMax && (!limitsP99 || p99 <= p99Max),
    history: [
      `another primary, or the end of the fault, after ${Math.round(electedAt - from)} ms`,
      ...worst(samples, from).map((sample) => lineOf(sample, from)),
    ],
  };
}

/** Begins to read from a server. @returns a function that ends the reads, and returns the samples */
async function startReaders(url: string, paths: readonly string[], servers: number) {
  const headers = { 'x-api-key': CREDENTIALS.apiKey };
  const job: OpenJob = {
    url,
    requests: shuffled(paths).map((path) => ({ path, headers })),
    rate: RATE / servers,
    seconds: Infinity,
    warmUpSeconds: WARM_UP_SECONDS,
    connections: CONNECTIONS,
    statuses: [200],
    deadlineMs: DEADLINE_MS,
  };
  const readers = await startClient<OpenJob, OpenReport>(OPEN_LOOP, job, UNPINNED);
  const run = readers.begin();
  return async (): Promise<readonly Sample[]> => {
    readers.endRun();
    const { samples } = await run;
    readers.stop();
    return samples;
  };
}

function epochNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The worst samples: errors first, then the longest latencies. */
function worst(samples: readonly Sample[], from: number): readonly Sample[] {
  const errorRank = ({ result }: Sample) => (result === 'right' ? 0 : 1);
  return samples
    .filter(({ due, ms }) => due + ms >= from)
    .toSorted((one, other) => errorRank(other) - errorRank(one) || other.ms - one.ms)
    .slice(0, WORST_SHOWN);
}

function lineOf({ due, ms, where, result }: Sample, from: number): string {
  return `+${Math.round(due - from)} ms: ${where}: ${result} after ${Math.round(ms)} ms`;
}
