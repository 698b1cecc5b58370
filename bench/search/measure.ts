import { readEachOnce } from '../load/each-once.ts';
import { countCost } from '../load/measure.ts';
import type { Mongo } from '../support/servers/mongo.ts';
import type { Headers, Server } from '../support/servers/servers.ts';
import { latenciesOf, type Latencies } from '../support/statistics.ts';
import type { Search } from './queries.ts';

/** What searches took over so many connections; times in milliseconds. */
export interface Measured {
  readonly connections: number;
  readonly all: Latencies;
  /** Of each kind, with how many articles a search returned on its first page. */
  readonly kinds: ReadonlyMap<string, Latencies & { searches: number; found: number }>;
  /** Searches that the server refused because too many others waited; their times count all the same. */
  readonly refused: number;
  /** Processor time of a search. */
  readonly serverCpu: number;
  readonly mongoCpu: number;
  /** The latest articles, uncached, over as many connections, before and after. */
  readonly latest: Latencies;
}

export interface Target {
  readonly server: Server;
  readonly mongo: Mongo;
  readonly headers: Headers;
}

/** Pages of the latest articles that are read before the searches, and as many after them. */
const LATEST = 200;
const BUSY = 503;
const LATEST_DEEPEST = 50;

/** Sends each search once, and pages of the latest articles before and after. */
export async function measureSearches(
  target: Target,
  searches: readonly Search[],
  connections: number,
): Promise<Measured> {
  const { server, mongo, headers } = target;
  const before = await latest(target, connections);
  const took = new Map<string, number[]>();
  const found = new Map<string, number>();
  let refused = 0;
  const costOf = countCost(server);
  const mongoBefore = mongo.cpuSeconds();
  const all = await readEachOnce({
    ...{ server, headers, connections, paths: searches.map(({ path }) => path) },
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
  const serverCpu = costOf(searches.length).cpuMicros / 1_000;
  const mongoCpu = ((mongo.cpuSeconds() - mongoBefore) * 1_000) / searches.length;
  const after = await latest(target, connections);
  const kinds = Array.from(took, ([kind, times]) => {
    const { length } = times;
    const ofOne = (found.get(kind) ?? 0) / length;
    return [kind, { ...latenciesOf(times), searches: length, found: ofOne }] as const;
  });
  return {
    ...{ connections, all, kinds: new Map(kinds), refused, serverCpu, mongoCpu },
    latest: latenciesOf([...before, ...after]),
  };
}

async function latest({ server, headers }: Target, connections: number): Promise<number[]> {
  const times: number[] = [];
  const paths = Array.from(
    { length: LATEST },
    (_, at) => `/blogs/latest?limit=10&page=${1 + (at % LATEST_DEEPEST)}`,
  );
  const check = (_body: string, _at: number, milliseconds: number) => times.push(milliseconds);
  await readEachOnce({ server, headers, connections, paths, check });
  return times;
}
