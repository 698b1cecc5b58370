import { availableParallelism } from 'node:os';
import { buildIfStale } from '../build-if-stale.mjs';
import { startOwnServer } from '../own-server.mjs';
import { preparePython } from './python.mjs';
import { runSchemathesis } from './schemathesis.mjs';
import { Tally } from './tally.mjs';
import { seedWorld } from './world.mjs';

/** Of one identity, where the number of cases bounds the run and not the time. */
const ROUND_SECONDS = 180;
/** For schemathesis to start and to end, and for the server to stop. */
const RESERVE_SECONDS = 4;
const MIN_SECONDS = 5;

/**
 * Sends generated requests to an own server as every identity, two identities at a time where there
 * are two cores, and prints what was found.
 *
 * @param cases null for a run that `seconds` bounds
 * @returns whether nothing was found
 */
export async function fuzz({ seconds, cases, identities, seed }) {
  const python = await preparePython();
  buildIfStale();
  const deadline = performance.now() + seconds * 1_000;
  const server = await startOwnServer();
  const children = new Set();
  const end = endOnSignals(server, children);
  const tally = new Tally();
  let isPassed = false;
  try {
    const world = await seedWorld(server);
    const context = { python, world, children, url: server.url, folder: server.folder };
    const lanes = Math.min(2, availableParallelism(), identities.length);
    const jobs = cases === null ? once : untilCases;
    const queue = jobs({ identities, seed, lanes, deadline, cases, tally });
    console.log(`seed ${seed}, ${lanes} at a time, on ${server.url}`);
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (const job of queue) tally.add(job, await runSchemathesis(job, context));
      }),
    );
    tally.checkAccess();
    await checkServer(server, tally);
    console.log(tally.report());
    isPassed = tally.failures === 0 && tally.cases > 0;
  } finally {
    end.disarm();
    await server.stop({ isFolderKept: !isPassed });
    if (!isPassed) console.log(`the server's log and all output: ${server.folder}`);
  }
  console.log(`fuzz: ${tally.cases} cases, ${tally.failures} failures`);
  return isPassed;
}

/** One job for each identity; they share the time that is left. */
function* once({ identities, seed, lanes, deadline }) {
  for (const [number, identity] of identities.entries()) {
    const left = (deadline - performance.now()) / 1_000;
    const rows = Math.ceil((identities.length - number) / lanes);
    const seconds = Math.max(MIN_SECONDS, Math.floor(left / rows - RESERVE_SECONDS));
    yield { number, identity, seconds, seed: seed + number, isFirst: true };
  }
}

/** Round after round, each with other seeds, until there are enough cases. */
function* untilCases({ identities, seed, cases, tally }) {
  for (let number = 0; tally.cases < cases; number += 1) {
    const identity = identities[number % identities.length];
    const isFirst = number < identities.length;
    yield { number, identity, seconds: ROUND_SECONDS, seed: seed + number, isFirst };
  }
}

/** After all that, it answers, and has logged no error: each would be a 500 or worse. */
async function checkServer(server, tally) {
  const answer = await fetch(`${server.url}/health`).catch((error) => error);
  if (!server.isRunning() || answer.status !== 200) {
    tally.fail(`the server is not well: ${answer.status ?? answer}`);
  }
  const [first, ...others] = server.errorLines();
  if (first) tally.fail(`the server has logged ${others.length + 1} errors, the first: ${first}`);
}

/** Children of a terminal's process group get Ctrl-C themselves; those of a CI job do not. */
function endOnSignals(server, children) {
  const end = (signal) => {
    for (const child of children) child.kill('SIGTERM');
    void server.stop().then(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  return { disarm: () => process.off('SIGINT', end).off('SIGTERM', end) };
}
