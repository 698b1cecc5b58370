import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ownProcess } from '../clean-up.mjs';
import { percentile } from '../rounds.mjs';
import { pinProcess } from '../cpus.mjs';
import { perRequest } from './closed-loop.mjs';

/**
 * In which a client compiles what it runs, and opens its connections: it sends late until then, by
 * tens of milliseconds, and that is no latency of the server.
 */
const WARM_UP_SECONDS = 2;

/**
 * Requests at a fixed rate, whether or not those before them are answered, from a process of its
 * own. A latency counts from when the request was due, so a server that stalls pays for all who
 * waited.
 *
 * What is checked: each status, and each body where the request says its `answer`.
 *
 * @param requests `{ method, path, headers, body, answer }`, sent in turn
 * @param ready is waited for when the client is warm, before anything counts
 * @returns a measure (bench/performance.mjs); `late99`: how late the 99th of 100 was sent
 * @throws Error for any wrong answer
 */
export async function openLoop(
  {
    server,
    url = server.url,
    requests,
    rate,
    seconds,
    connections = 64,
    statuses = [200],
    ready = async () => {},
  },
  cpus,
) {
  const warmUpSeconds = WARM_UP_SECONDS;
  const job = { url, requests, rate, seconds, warmUpSeconds, connections, statuses };
  let startedAt;
  let cpuBefore;
  const { latencies, late, problems } = await runLoad('open', job, cpus, async () => {
    await ready();
    startedAt = performance.now();
    cpuBefore = server?.cpuSeconds() ?? NaN;
  });
  const cpu = (server?.cpuSeconds() ?? NaN) - cpuBefore;
  const elapsed = (performance.now() - startedAt) / 1_000;
  if (problems.count > 0) {
    throw new Error(`${problems.count} answers were wrong, such as: ${problems.sample}`);
  }
  return {
    rate: latencies.length / seconds,
    ...perRequest(cpu, latencies.length, elapsed),
    ...percentilesOf(latencies),
    late99: percentile(late, 0.99),
    requests: latencies.length,
    errors: 0,
  };
}

/** @returns what so many loads take as `ready` that are to begin at the same time */
export function together(count) {
  const { promise, resolve } = Promise.withResolvers();
  let warm = 0;
  return () => {
    warm += 1;
    if (warm === count) resolve();
    return promise;
  };
}

/** @returns p50, p99 and p99.9 of times in milliseconds */
export function percentilesOf(latencies) {
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    p999: percentile(latencies, 0.999),
  };
}

/**
 * Runs a job in a process of its own on the load's core.
 *
 * @param ready is waited for when the process is warm; what it measures begins after that
 * @returns what it reports
 */
export async function runLoad(kind, job, cpus, ready = async () => {}) {
  const load = await startLoad(new URL(`${kind}.child.mjs`, import.meta.url), job, cpus);
  try {
    await ready();
    return await load.begin();
  } finally {
    load.stop();
  }
}

/**
 * Starts a process of its own on the load's core, for a program that keeps to `job.mjs`.
 *
 * @param program URL of its file
 * @returns when it is warm: `begin(how)` resolves with what it reports, and may be called again if
 *   the program allows it; `tell(message)` is for what it is to hear meanwhile; `stop()`
 * @throws Error when it ends by itself
 */
export async function startLoad(program, job, cpus) {
  const child = ownProcess(fork(fileURLToPath(program), { serialization: 'advanced' }));
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`the load ended by itself (${code})`);
  });
  const answer = async (message) => {
    child.send(message);
    const [report] = await Promise.race([once(child, 'message'), exit]);
    return report;
  };
  const load = {
    begin: (how = {}) => answer(how),
    tell: (message) => child.send(message),
    stop: () => {
      if (child.exitCode === null) child.kill();
    },
  };
  try {
    pinProcess(cpus.load, child.pid);
    await answer(job);
    return load;
  } catch (error) {
    load.stop();
    throw error;
  }
}
