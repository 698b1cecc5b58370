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
  const answers: { kind: string; milliseconds: number; found: number | undefined }[] = [];
  const all = await readEachOnce({
    server,
    headers,
    connections,
    paths: searches.map(({ path }) => path),
    alsoStatus: BUSY,
    check: (body, at, milliseconds) => {
      const { data } = JSON.parse(body) as { data?: { items: readonly object[] } };
      answers.push({ kind: searches[at]?.kind ?? '', milliseconds, found: data?.items.length });
    },
  });
  const kinds = Array.from(
    Map.groupBy(answers, ({ kind }) => kind),
    ([kind, some]) => {
      const latencies = latenciesOf(some.map(({ milliseconds }) => milliseconds));
      const found = some.reduce((sum, answer) => sum + (answer.found ?? 0), 0) / some.length;
      return [kind, { ...latencies, searches: some.length, found }] as const;
    },
  );
  const refused = answers.filter(({ found }) => found === undefined).length;
  return { connections, all, kinds: new Map(kinds), refused };
}
