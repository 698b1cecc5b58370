import { latenciesOf, type Latencies } from '../support/statistics.ts';
import { Connections } from './connections.ts';
import type { Rate } from './measure.ts';

export interface Sequence {
  readonly server: { readonly url: string };
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections?: number;
  /** Another status than 200 that an answer may have, such as that of a busy server. */
  readonly alsoStatus?: number;
  /** Called with each body, the index of its path, and its latency in milliseconds. Throws for a wrong body. */
  readonly check?: (body: string, at: number, milliseconds: number) => void;
}

/**
 * Reads each path once, over a number of connections, each of which sends the next request once the last one is
 * answered. Use it for reads that take milliseconds: the client itself adds some tenths of a millisecond.
 * @throws Error for any other status than 200 and `alsoStatus`
 */
export async function readEachOnce(sequence: Sequence): Promise<Rate & Latencies> {
  const { server, paths, headers = {}, connections = 1, check, alsoStatus = 200 } = sequence;
  const clients = new Connections(server.url, connections);
  const latencies: number[] = [];
  const startedAt = performance.now();
  const remaining = paths.entries();
  const reader = async () => {
    // The readers share the iterator, so each path is taken once.
    for (const [at, path] of remaining) {
      const sentAt = performance.now();
      const { status, body } = await clients.send({ path, headers });
      const milliseconds = performance.now() - sentAt;
      latencies.push(milliseconds);
      if (status !== 200 && status !== alsoStatus)
        throw new Error(`${path}: ${status} ${body.slice(0, 200)}`);
      check?.(body, at, milliseconds);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, reader));
  } finally {
    clients.close();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const requests = latencies.length;
  return { rate: requests / seconds, ...latenciesOf(latencies), requests };
}
