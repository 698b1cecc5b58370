import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { freePort } from '../../scripts/support/network/free-port.ts';
import { closedLoop, type ClosedLoad } from '../load/closed-loop.ts';
import type { Measure } from '../load/measure.ts';
import { API_KEY } from '../performance/data/people.ts';
import { seed } from '../performance/data/seed.ts';
import { articlePath } from '../performance/load/mixed-requests.ts';
import { rawAnswer } from '../load/raw-answer.ts';
import { startMongo } from '../performance/mongo.ts';
import { rowOf, tableOf, type Row } from '../performance/report.ts';
import { Servers } from '../performance/servers.ts';
import { chooseCpus, type Cpus } from '../support/cpus.ts';
import { atEnd, runProgram, valuesOf } from '../support/program.ts';
import { median, mediansOf, range } from '../support/statistics.ts';
import type { Pair } from './checkout.ts';

const USAGE = `npm run bench:metrics-cost -- [--rounds N] [--turns N]

Compares what an article from the response cache costs with METRICS_PORT and without. Both servers run at the
same time, and are read in turns of a second. Prints the processor time of a request and the median latency, and
apart from them the processor time of a scrape. Exits with 1 when that of a request is above its bar.

  --rounds N  how often both servers are started and measured; default 6
  --turns N   seconds of load on each in a round, for each kind of request; default 8`;

const TURN_SECONDS = 1;
const SCRAPES = 100;
const ARTICLES = 1_000;
/** For the median of the rounds. */
const LIMIT = { kind: 'ratio-max', value: 1.03 } as const;

interface Side {
  readonly load: Omit<ClosedLoad, 'path' | 'headers'>;
  /** Milliseconds of processor time. */
  readonly costOfScrape: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    rounds: { type: 'string', default: '6' },
    turns: { type: 'string', default: '8' },
  });
  buildIfStale();
  const cpus = chooseCpus();
  const mongod = await startMongo({});
  mongod.pin(cpus.load);
  const servers = new Servers({ cpus, mongoUri: mongod.uri, apiKey: API_KEY });
  atEnd(() => servers.stopAll());
  const { slugs } = await seed(mongod.uri, { count: ARTICLES });
  const path = articlePath(slugs[0] ?? '');
  console.log(cpus.note);
  const rounds: Record<string, Pair<Measure>>[] = [];
  const scrapes: number[] = [];
  while (rounds.length < Number(values.rounds)) {
    const sides = [await start(servers, true), await start(servers, false)] as const;
    rounds.push(await measureRound(sides, path, Number(values.turns), cpus));
    scrapes.push(await sides[0].costOfScrape());
    for (const { stop } of sides) await stop();
  }
  const rows = ['cached article', 'cached article, 304'].flatMap((kind) =>
    rowsOf(
      kind,
      rounds.flatMap(({ [kind]: pair }) => (pair ? [pair] : [])),
    ),
  );
  console.log(tableOf(rows));
  console.log(`a scrape: ${median(scrapes).toFixed(1)} ms of processor time`);
  process.exitCode = rows.every(({ reached }) => reached !== false) ? 0 : 1;
});

async function start(servers: Servers, hasMetrics: boolean): Promise<Side> {
  const port = String(await freePort());
  const server = await servers.startPressroom(hasMetrics ? { METRICS_PORT: port } : {});
  const costOfScrape = async (): Promise<number> => {
    const before = server.cpuSeconds();
    for (let count = 0; count < SCRAPES; count += 1) {
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    }
    return ((server.cpuSeconds() - before) * 1_000) / SCRAPES;
  };
  return { load: { server, seconds: TURN_SECONDS }, costOfScrape, stop: () => server.stop() };
}

async function measureRound(
  sides: Pair<Side>,
  path: string,
  turns: number,
  cpus: Cpus,
): Promise<Record<string, Pair<Measure>>> {
  const key = { 'x-api-key': API_KEY };
  const { headers } = await rawAnswer(sides[0].load.server.url, path, key);
  const tag = headers.find(([name]) => name === 'etag')?.[1] ?? '';
  return {
    'cached article': await inTurns(sides, { path, headers: key }, turns, cpus),
    'cached article, 304': await inTurns(
      sides,
      { path, headers: { ...key, 'if-none-match': tag } },
      turns,
      cpus,
    ),
  };
}

async function inTurns(
  sides: Pair<Side>,
  request: Pick<ClosedLoad, 'path' | 'headers'>,
  turns: number,
  cpus: Cpus,
): Promise<Pair<Measure>> {
  const measured: Pair<Measure[]> = [[], []];
  const each = [
    [sides[0], measured[0]],
    [sides[1], measured[1]],
  ] as const;
  // One more turn first, which warms up.
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const [{ load }, measures] of turn % 2 === 0 ? each : each.toReversed()) {
      const measure = await closedLoop({ ...load, ...request }, cpus);
      if (turn > 0) measures.push(measure);
    }
  }
  return [mediansOf(measured[0]), mediansOf(measured[1])];
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
      ...{ ...medians, ratio: median(ratios), spread: range(ratios) },
      // The latency of a closed loop follows from the processor time, with the noise of the machine.
      limit: figure === 'p50' ? { kind: 'none', value: NaN } : LIMIT,
    });
  });
}
