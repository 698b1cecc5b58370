import { Connections } from './agent.mjs';
import { percentilesOf } from './open-loop.mjs';

/**
 * Sends each request once, so many at a time, the next as soon as one is answered. For what takes
 * milliseconds: the client's own share is some tenth of one.
 *
 * @param check is called with each answer (`{status, headers, body}`) and its number; throws for a
 *   wrong one
 * @returns a measure (bench/performance.mjs) with the latency of each
 * @throws Error for any other status than 200
 */
export async function sequence({ server, paths, headers, connections = 1, check = () => {} }) {
  const clients = new Connections(server.url, connections);
  const latencies = [];
  const startedAt = performance.now();
  let next = 0;
  const reader = async () => {
    while (next < paths.length) {
      const at = next;
      next += 1;
      const sentAt = performance.now();
      const answer = await clients.send({ path: paths[at], headers });
      latencies.push(performance.now() - sentAt);
      if (answer.status !== 200) {
        throw new Error(`${paths[at]}: ${answer.status} ${answer.body.slice(0, 200)}`);
      }
      check(answer, at);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, reader));
  } finally {
    clients.close();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const requests = latencies.length;
  return { rate: requests / seconds, ...percentilesOf(latencies), requests, errors: 0, latencies };
}
