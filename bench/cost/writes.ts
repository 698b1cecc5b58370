import { setTimeout as wait } from 'node:timers/promises';
import mongoose, { type mongo } from 'mongoose';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { startClient, type ClientProcess, type LoadReport } from '../load/client-process.ts';
import { countCost, type Measure, type MeasuredServer } from '../load/measure.ts';
import { API_KEY, AUTHOR_ACCOUNTS, insertPeople } from '../performance/data/people.ts';
import { startMongo, type Mongo } from '../performance/mongo.ts';
import { STEPS, type Step } from '../performance/load/writes.ts';
import { rowOf, tableOf, type Row } from '../performance/report.ts';
import { Servers } from '../performance/servers.ts';
import { chooseCpus, type Cpus } from '../support/cpus.ts';
import { atEnd, runProgram, valuesOf } from '../support/program.ts';
import { cycled, latenciesOf, median, mediansOf, range } from '../support/statistics.ts';
import { entryOf, type Pair } from './checkout.ts';

const USAGE = `npm run bench:write-cost -- --baseline DIR --candidate DIR [--rounds N] [--seconds N]

Compares what a write costs in two built checkouts: articles that are created, edited, submitted and
published. Both run at the same time, each with a MongoDB of its own, and are written to in turns of a
tenth of a second. Prints the median latency of each kind of write in a closed loop, and the processor
time of server and MongoDB per write, until what follows a write is done as well. Exits with 1 when a
ratio is above its bar.

  --rounds N   how often both servers are started and measured; default 6
  --seconds N  of load on each in a round; default 10`;

const WRITES = new URL('../performance/load/writes.ts', import.meta.url).href;
/** Few, because a write that queues for the processor says nothing of what else it waits for. */
const CONNECTIONS = 4;
/**
 * Short, so that whatever slows down the machine slows down both. What follows a write then also runs
 * in turns of the other build: its cost shows in the processor time, not in the latency.
 */
const TURN_SECONDS = 0.1;
const WARM_UP_SECONDS = 3;
const SETTLE_DEADLINE_MS = 60_000;
const HAS_EVENTS = { 'events.0.at': { $gt: new Date(0) } };

/**
 * For the median of the ratios of each round. A submission and a publication may cost more: they keep a
 * revision. Two of four writes are of that kind.
 */
const LIMITS = { create: 1.1, edit: 1.1, submit: 2.5, publish: 2.5 } as const;
const CPU_LIMIT = 1.3;

/** An article of some 5 KB. */
const HTML = '<p>What it costs to write, to edit, to submit and to publish.</p>'.repeat(75);
const TEXTS = [{ html: HTML, cleaned: HTML }];

interface Build {
  readonly entry: string;
  readonly servers: Servers;
  readonly mongod: Mongo;
  readonly db: mongo.Db;
}

/** A server that is running, and those who write to it. */
interface Target extends MeasuredServer {
  readonly db: mongo.Db;
  readonly writers: ClientProcess<LoadReport>;
  readonly stop: () => Promise<void>;
}

/** With the median latency of each kind of write. */
type WriteCost = Measure & Record<Step, number>;

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    baseline: { type: 'string' },
    candidate: { type: 'string' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '10' },
  });
  const [candidate, baseline] = [entryOf(values.candidate, USAGE), entryOf(values.baseline, USAGE)];
  buildIfStale();
  const cpus = chooseCpus();
  const builds = [await prepare(candidate, cpus), await prepare(baseline, cpus)] as const;
  console.log(cpus.note);
  const rounds: Pair<WriteCost>[] = [];
  while (rounds.length < Number(values.rounds)) {
    const prefix = `written-${rounds.length}`;
    rounds.push(await measureRound(builds, { cpus, prefix, seconds: Number(values.seconds) }));
  }
  const medians = {
    ours: mediansOf(rounds.map(([ours]) => ours)),
    baseline: mediansOf(rounds.map(([, other]) => other)),
  };
  const rows = [
    ...STEPS.map((step) => {
      // The other columns of the table are those of all writes.
      const ours = { ...medians.ours, p50: medians.ours[step] };
      const baseline = { ...medians.baseline, p50: medians.baseline[step] };
      return rowFor(step, rounds, { ours, baseline, limit: LIMITS[step] });
    }),
    rowFor('cpuMicros', rounds, { ...medians, limit: CPU_LIMIT }),
  ];
  console.log(tableOf(rows));
  process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1;
});

/** @param medians of the rounds, to be shown */
function rowFor(
  figure: 'cpuMicros' | Step,
  rounds: readonly Pair<WriteCost>[],
  { limit, ...medians }: { ours: WriteCost; baseline: WriteCost; limit: number },
): Row {
  const ratios = rounds.map(([ours, baseline]) => ours[figure] / baseline[figure]);
  return rowOf({
    case: figure === 'cpuMicros' ? 'processor time of a write' : `${figure}, p50`,
    ...{ ...medians, ratio: median(ratios), spread: range(ratios) },
    limit: { kind: 'ratio-max', value: limit },
  });
}

/** A MongoDB of its own, so that neither build waits for the journal of the other. */
async function prepare(entry: string, cpus: Cpus): Promise<Build> {
  const mongod = await startMongo({});
  mongod.pin(cpus.load);
  const servers = new Servers({ cpus, mongoUri: mongod.uri, apiKey: API_KEY });
  const client = await mongoose.mongo.MongoClient.connect(mongod.uri);
  atEnd(() => client.close());
  atEnd(() => servers.stopAll());
  const db = client.db();
  const server = await servers.startPressroom({}, { entry });
  await db.collection('api_keys').insertOne({ key: API_KEY, status: true });
  await insertPeople(db);
  await server.stop();
  return { entry, servers, mongod, db };
}

/**
 * Measures both builds side by side. Each round starts the servers anew, because two processes of the
 * same build may differ by some percent for as long as they run.
 */
async function measureRound(
  builds: Pair<Build>,
  { cpus, prefix, seconds }: { cpus: Cpus; prefix: string; seconds: number },
): Promise<Pair<WriteCost>> {
  const ours = await startTarget(builds[0], prefix, cpus);
  const baseline = await startTarget(builds[1], prefix, cpus);
  const targets = [ours, baseline] as const;
  await writeInTurns(targets, WARM_UP_SECONDS);
  await settle(targets);
  const [costOfOurs, costOfBaseline] = [countCost(ours), countCost(baseline)];
  const written = await writeInTurns(targets, seconds);
  await settle(targets);
  const measures = [
    measureOf(written[0], costOfOurs),
    measureOf(written[1], costOfBaseline),
  ] as const;
  for (const { stop } of targets) await stop();
  return measures;
}

async function startTarget(
  { entry, servers, mongod, db }: Build,
  prefix: string,
  cpus: Cpus,
): Promise<Target> {
  const server = await servers.startPressroom({ ACCESS_TOKEN_TTL: '12h' }, { entry });
  const headers = await server.signIn(cycled(AUTHOR_ACCOUNTS, 0));
  const { url } = server;
  const pace = { seconds: TURN_SECONDS, connections: CONNECTIONS };
  const job = { url, headers, texts: TEXTS, prefix, ...pace };
  const client = { module: WRITES };
  const writers = await startClient<object, LoadReport>(client, job, cpus);
  const cpuSeconds = () => server.cpuSeconds() + mongod.cpuSeconds();
  const stop = async () => {
    writers.stop();
    await server.stop();
  };
  return { url, db, writers, cpuSeconds, stop };
}

/** Writes to both, for so many seconds each. @returns a report for each turn */
async function writeInTurns(
  [ours, baseline]: Pair<Target>,
  seconds: number,
): Promise<Pair<LoadReport[]>> {
  const written = [[], []] as Pair<LoadReport[]>;
  const sides = [
    [ours, written[0]],
    [baseline, written[1]],
  ] as const;
  for (let turn = 0; turn * TURN_SECONDS < seconds; turn += 1) {
    for (const [{ writers }, reports] of turn % 2 === 0 ? sides : sides.toReversed()) {
      const report = await writers.begin();
      if (report.problems.count > 0) throw new Error(report.problems.sample);
      reports.push(report);
    }
  }
  return written;
}

function measureOf(reports: LoadReport[], costOf: ReturnType<typeof countCost>): WriteCost {
  const latencies = reports.flatMap((report) => report.latencies);
  const requests = latencies.length;
  const seconds = reports.reduce((sum, report) => sum + report.seconds, 0);
  const measure = {
    rate: requests / seconds,
    ...costOf(requests),
    ...latenciesOf(latencies),
    requests,
  };
  const stepP50 = (step: Step): number =>
    latenciesOf(reports.flatMap((report) => report.latenciesByStep?.[step] ?? [])).p50;
  const [create, edit, submit, publish] = STEPS.map(stepP50) as [number, number, number, number];
  return { ...measure, create, edit, submit, publish };
}

/** Waits for what follows the writes of either. */
async function settle(targets: Pair<Target>): Promise<void> {
  const deadline = performance.now() + SETTLE_DEADLINE_MS;
  for (const { db } of targets) {
    while ((await db.collection('blogs').findOne(HAS_EVENTS)) !== null) {
      if (performance.now() > deadline) throw new Error('events are left that nobody stores');
      await wait(250);
    }
  }
}
