import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { closedLoop } from '../load/closed-loop.ts';
import type { Measure, MeasuredServer } from '../load/measure.ts';
import { API_KEY } from '../performance/data/people.ts';
import { seed, type DataSet } from '../performance/data/seed.ts';
import { readBodies } from '../performance/inspect/answers.ts';
import { UNCACHED } from '../performance/load/uncached-reads.ts';
import { startMongo, type Mongo } from '../performance/mongo.ts';
import { rowOf, tableOf, type Row } from '../performance/report.ts';
import { Servers } from '../performance/servers.ts';
import { chooseCpus, type Cpus } from '../support/cpus.ts';
import { atEnd, runProgram, valuesOf } from '../support/program.ts';
import { median, mediansOf, range } from '../support/statistics.ts';
import { entryOf, type Pair } from './checkout.ts';

const USAGE = `npm run bench:list-cost -- --baseline DIR [--candidate DIR] [--rounds N] [--turns N] [--count N]

Compares what lists that no cache holds cost in two built checkouts. Each has a MongoDB of its own with the same
articles, and both are read in turns of a second. Prints the processor time of server and MongoDB for a list, and
the median latency. Exits with 1 when a ratio is above its bar.

  --candidate DIR  default: this checkout
  --rounds N       how often both servers are started and measured; default 5
  --turns N        seconds of load on each in a round, for each kind of list; default 6
  --count N        live articles; default 10000`;

const HEADERS = { 'x-api-key': API_KEY };
/** Few, so that a list does not wait for many others, and several share a query. */
const CONNECTIONS = 8;
const TURN_SECONDS = 1;
const EACH = 500;
const LIMIT = { kind: 'ratio-max', value: 1.15 } as const;

interface Build {
  readonly entry: string;
  readonly servers: Servers;
  readonly mongod: Mongo;
  readonly data: DataSet;
}

/** Pages of several sizes. The answers of both builds have the same articles, and other fields. */
const KINDS: Readonly<Record<string, (data: DataSet) => string[]>> = {
  'latest, uncached': () => pagesOf('/blogs/latest', 60),
  'by tag, uncached': ({ tags }) =>
    tags
      .slice(0, 60)
      .flatMap(({ tag }) => pagesOf(`/blogs/tag/${encodeURIComponent(tag)}`, 1))
      .slice(0, EACH),
};

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    baseline: { type: 'string' },
    candidate: { type: 'string', default: '.' },
    rounds: { type: 'string', default: '5' },
    turns: { type: 'string', default: '6' },
    count: { type: 'string', default: '10000' },
  });
  const entries = [entryOf(values.candidate, USAGE), entryOf(values.baseline, USAGE)] as const;
  buildIfStale();
  const cpus = chooseCpus();
  const count = Number(values.count);
  const builds = [
    await prepare(entries[0], cpus, count),
    await prepare(entries[1], cpus, count),
  ] as const;
  console.log(cpus.note);
  const rounds: Record<string, Pair<Measure>>[] = [];
  while (rounds.length < Number(values.rounds)) {
    rounds.push(await measureRound(builds, cpus, Number(values.turns)));
  }
  const rows = Object.keys(KINDS).flatMap((kind) =>
    rowsOf(
      kind,
      rounds.flatMap(({ [kind]: pair }) => (pair ? [pair] : [])),
    ),
  );
  console.log(tableOf(rows));
  process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1;
});

function pagesOf(path: string, pages: number): string[] {
  return [10, 20, 5, 15, 25, 12, 8, 30].flatMap((limit) =>
    Array.from({ length: pages }, (_, index) => `${path}?page=${index + 1}&limit=${limit}`),
  );
}

/** The articles are made by the candidate; the baseline migrates them into its own form. */
async function prepare(entry: string, cpus: Cpus, count: number): Promise<Build> {
  const mongod = await startMongo({});
  mongod.pin(cpus.load);
  const servers = new Servers({ cpus, mongoUri: mongod.uri, apiKey: API_KEY });
  atEnd(() => servers.stopAll());
  const data = await seed(mongod.uri, { count });
  await (await servers.startPressroom({}, { entry })).stop();
  return { entry, servers, mongod, data };
}

/** Starts the servers anew: two processes of one build may differ by some percent as long as they run. */
async function measureRound(
  builds: Pair<Build>,
  cpus: Cpus,
  turns: number,
): Promise<Record<string, Pair<Measure>>> {
  const [ours, baseline] = [await start(builds[0]), await start(builds[1])];
  const measured: Record<string, Pair<Measure>> = {};
  for (const [kind, pathsOf] of Object.entries(KINDS)) {
    const paths = pathsOf(builds[0].data);
    const sides = [await sideOf(ours, paths), await sideOf(baseline, paths)] as const;
    // One more turn first, which warms up.
    for (let turn = 0; turn <= turns; turn += 1) {
      for (const { load, measures } of turn % 2 === 0 ? sides : sides.toReversed()) {
        measures.push(
          await closedLoop({ ...load, connections: CONNECTIONS, seconds: TURN_SECONDS }, cpus),
        );
      }
    }
    const [first, second] = sides.map(({ measures }) => mediansOf(measures.slice(1)));
    if (first && second) measured[kind] = [first, second];
  }
  for (const { stop } of [ours, baseline]) await stop();
  return measured;
}

type Target = MeasuredServer & { readonly stop: () => Promise<void> };

async function start({ entry, servers, mongod }: Build): Promise<Target> {
  const server = await servers.startPressroom(UNCACHED, { entry });
  return {
    url: server.url,
    cpuSeconds: () => server.cpuSeconds() + mongod.cpuSeconds(),
    stop: () => server.stop(),
  };
}

async function sideOf(server: MeasuredServer, paths: readonly string[]) {
  const answers = await readBodies(server, paths, HEADERS);
  const measures: Measure[] = [];
  return { load: { server, paths, answers, headers: HEADERS }, measures };
}

function rowsOf(kind: string, rounds: readonly Pair<Measure>[]): Row[] {
  const medians = {
    ours: mediansOf(rounds.map(([ours]) => ours)),
    baseline: mediansOf(rounds.map(([, baseline]) => baseline)),
  };
  return (['cpuMicros', 'p50'] as const).map((figure) => {
    const ratios = rounds.map(([ours, baseline]) => ours[figure] / baseline[figure]);
    return rowOf({
      case: `${kind}: ${figure === 'p50' ? 'p50' : 'processor time'}`,
      ...{ ...medians, ratio: median(ratios), spread: range(ratios), limit: LIMIT },
    });
  });
}
