import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ownProcess } from '../clean-up.mjs';
import { percentile } from '../rounds.mjs';
import { pinProcess } from '../cpus.mjs';
import { perRequest } from './closed-loop.mjs';

/**
 * Requests at a fixed rate, whether or not those before them are answered, from a process of its
 * own. A latency counts from when the request was due, so a server that stalls pays for all who
 * waited.
 *
 * What is checked: each status, and each body where the request says its `answer`.
 *
 * @param requests `{ method, path, headers, body, answer }`, sent in turn
 * @returns a measure (bench/performance.mjs); `late99`: how late the 99th of 100 was sent
 * @throws Error for any wrong answer
 */
export async function openLoop(
  { server, url = server.url, requests, rate, seconds, connections = 64, statuses = [200] },
  cpus,
) {
  const job = { url, requests, rate, seconds, connections, statuses };
  const startedAt = performance.now();
  const cpuBefore = server?.cpuSeconds() ?? NaN;
  const { latencies, late, problems } = await runLoad('open', job, cpus);
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

/** @returns p50, p99 and p99.9 of times in milliseconds */
export function percentilesOf(latencies) {
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    p999: percentile(latencies, 0.999),
  };
}

/** Runs a job in a process of its own on the load's core. @returns what it reports */
export async function runLoad(kind, job, cpus) {
  const program = fileURLToPath(new URL(`${kind}.child.mjs`, import.meta.url));
  const child = ownProcess(fork(program, { serialization: 'advanced' }));
  try {
    pinProcess(cpus.load, child.pid);
    child.send(job);
    const [report] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`the load ended by itself (${code})`);
      }),
    ]);
    return report;
  } finally {
    if (child.exitCode === null) child.kill();
  }
}
