import { readEachOnce } from '../load/each-once.ts';
import { latenciesOf, type Latencies } from '../support/statistics.ts';
import type { Headers, Server } from '../support/servers/servers.ts';
import type { Search } from './queries.ts';

/** Latencies of searches over a number of connections, in milliseconds. */
export interface Measured {
  readonly connections: number;
  readonly all: Latencies;
  /** For each kind: latencies, number of searches, and average number of articles on the first page. */
  readonly kinds: ReadonlyMap<string, Latencies & { searches: number; found: number }>;
  /** Number of searches that the server refused because too many waited. Their latencies are included. */
  readonly refused: number;
}

const BUSY = 503;

/** Sends each search once. */
export async function measureSearches(
  { server, headers }: { readonly server: Server; readonly headers: Headers },
  searches: readonly Search[],
  connections: number,
): Promise<Measured> {
  const took = new Map<string, number[]>();
  const found = new Map<string, number>();
  let refused = 0;
  const all = await readEachOnce({
    server,
    headers,
    connections,
    paths: searches.map(({ path }) => path),
    alsoStatus: BUSY,
    check: (body, at, milliseconds) => {
      const kind = searches[at]?.kind ?? '';
      const { data } = JSON.parse(body) as { data?: { items: readonly object[] } };
      if (data) found.set(kind, (found.get(kind) ?? 0) + data.items.length);
      else refused += 1;
      const times = took.get(kind) ?? [];
      times.push(milliseconds);
      took.set(kind, times);
    },
  });
  const kinds = Array.from(took, ([kind, times]) => {
    const ofOne = (found.get(kind) ?? 0) / times.length;
    return [kind, { ...latenciesOf(times), searches: times.length, found: ofOne }] as const;
  });
  return { connections, all, kinds: new Map(kinds), refused };
}
