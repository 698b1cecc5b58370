import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../build-if-stale.mjs';
import { startOwnServer, type OwnServer } from '../support/own-server.ts';
import { preparePython } from '../support/python.ts';
import { messageOf } from '../support/user-error.ts';
import { runSchemathesis, type Job, type JobContext } from './schemathesis.ts';
import { Tally } from './tally.ts';
import { seedTestData, type IdentityName } from './test-data.ts';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** Seconds of each job in a run with a fixed number of cases. */
const JOB_SECONDS = 180;
/** Seconds of each job that are left for schemathesis to start and end, and for the server to stop. */
const RESERVE_SECONDS = 4;
const MIN_SECONDS = 5;

export interface FuzzOptions {
  /** Seconds of the whole run. */
  readonly seconds: number;
  /** Number of cases to send, without a limit of time; null for a run that `seconds` limits. */
  readonly cases: number | null;
  readonly identities: readonly IdentityName[];
  readonly seed: number;
}

/**
 * Starts a server, sends it generated requests as every identity, and prints the failures. With two cores or more,
 * two jobs run at a time.
 *
 * @returns whether there were cases and no failures
 */
export async function fuzz(options: FuzzOptions): Promise<boolean> {
  const { seconds, cases, identities, seed } = options;
  const python = await preparePython('fuzz-venv', REQUIREMENTS);
  buildIfStale();
  const deadline = performance.now() + seconds * 1_000;
  const server = await startOwnServer();
  const children = new Set<ChildProcess>();
  const signalHandlers = stopOnSignals(server, children);
  const tally = new Tally();
  let isPassed = false;
  try {
    const { url, folder } = server;
    const testData = await seedTestData(server);
    const context: JobContext = { python, testData, children, url, folder };
    const concurrency = Math.min(2, availableParallelism(), identities.length);
    const queue =
      cases === null
        ? jobsForTime(options, concurrency, deadline)
        : jobsForCases(options, cases, tally);
    console.log(`seed ${seed}, ${concurrency} at a time, on ${url}`);
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const job of queue) tally.add(job, await runSchemathesis(job, context));
      }),
    );
    tally.checkAccess();
    await checkServer(server, tally);
    console.log(tally.report());
    isPassed = tally.failures === 0 && tally.cases > 0;
  } finally {
    signalHandlers.remove();
    await server.stop({ isFolderKept: !isPassed });
    if (!isPassed) console.log(`the server's log and all output: ${server.folder}`);
  }
  console.log(`fuzz: ${tally.cases} cases, ${tally.failures} failures`);
  return isPassed;
}

/** One job for each identity. The jobs share the remaining time equally. */
function* jobsForTime(
  { identities, seed }: FuzzOptions,
  concurrency: number,
  deadline: number,
): Generator<Job> {
  for (const [number, identity] of identities.entries()) {
    const left = (deadline - performance.now()) / 1_000;
    const remainingRounds = Math.ceil((identities.length - number) / concurrency);
    const seconds = Math.max(MIN_SECONDS, Math.floor(left / remainingRounds - RESERVE_SECONDS));
    yield { number, identity, seconds, seed: seed + number, isFirst: true };
  }
}

/** Jobs for the identities in turn, each job with another seed, until enough cases have been sent. */
function* jobsForCases(
  { identities, seed }: FuzzOptions,
  cases: number,
  tally: Tally,
): Generator<Job> {
  for (let number = 0; tally.cases < cases; number += 1) {
    const identity = identities[number % identities.length];
    if (identity === undefined) return;
    const isFirst = number < identities.length;
    yield { number, identity, seconds: JOB_SECONDS, seed: seed + number, isFirst };
  }
}

/** Checks that the server still responds and has logged no error. */
async function checkServer(server: OwnServer, tally: Tally): Promise<void> {
  const health = await fetch(`${server.url}/health`).then(({ status }) => status, messageOf);
  if (!server.isRunning() || health !== 200) tally.fail(`the server is not well: ${health}`);
  const [first, ...others] = server.errorLines();
  if (first) tally.fail(`the server has logged ${others.length + 1} errors, the first: ${first}`);
}

/** Stops the server and schemathesis on a signal, which a terminal sends to them too, but a CI job does not. */
function stopOnSignals(server: OwnServer, children: ReadonlySet<ChildProcess>) {
  const stop = (signal: NodeJS.Signals): void => {
    for (const child of children) child.kill('SIGTERM');
    void server.stop().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return { remove: () => process.off('SIGINT', stop).off('SIGTERM', stop) };
}
