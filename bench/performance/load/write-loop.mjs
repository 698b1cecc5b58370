import { perRequest } from './closed-loop.mjs';
import { percentilesOf, runLoad } from './open-loop.mjs';

/**
 * Cycles of create, edit, submit and publish, each of an article of its own, as fast as they are
 * answered, from a process of its own.
 *
 * What is checked: the status of each answer, and in its body the slug, the state and the texts.
 *
 * @returns a measure of all requests
 * @throws Error for any wrong answer
 */
export async function writeLoop({ server, headers, texts, prefix, seconds, connections }, cpus) {
  const job = { url: server.url, headers, texts, prefix, seconds, connections };
  const cpuBefore = server.cpuSeconds();
  const { latencies, micros, problems } = await runLoad('write', job, cpus);
  const cpu = server.cpuSeconds() - cpuBefore;
  if (problems.count > 0) {
    throw new Error(`${problems.count} answers were wrong, such as: ${problems.sample}`);
  }
  return {
    rate: latencies.length / (micros / 1e6),
    ...perRequest(cpu, latencies.length, micros / 1e6),
    ...percentilesOf(latencies),
    requests: latencies.length,
    errors: 0,
  };
}
