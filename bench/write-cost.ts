import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose, { type mongo } from 'mongoose';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { UserError } from '../scripts/support/user-error.ts';
import { countCost } from './load/measure.ts';
import { API_KEY, AUTHOR_ACCOUNTS, insertPeople } from './performance/data/people.ts';
import { writeRepeatedly } from './performance/load/writes.ts';
import { startMongo, type Mongo } from './performance/mongo.ts';
import { rowOf, tableOf } from './performance/report.ts';
import { measureRounds } from './performance/rounds.ts';
import { Servers, type Headers, type Server } from './performance/servers.ts';
import { chooseCpus, type Cpus } from './support/cpus.ts';
import { atEnd, runProgram, valuesOf } from './support/program.ts';
import { cycled, median, range } from './support/statistics.ts';

const USAGE = `npm run bench:write-cost -- --baseline DIR --candidate DIR [--rounds N] [--seconds N]

Compares what a write costs in two built checkouts, in turns on one MongoDB: articles that are
created, edited, submitted and published. Prints the median latency at half of the baseline's
capacity, and the processor time of server and MongoDB per write, until what follows a write is done
as well. Exits with 1 when a ratio is above its bar.

  --rounds N   turns of each; default 6
  --seconds N  of load in a turn; default 10`;

const CONNECTIONS = 16;
const CAPACITY_SECONDS = 4;
/** Longer than the relay's interval, and the same for both. */
const SETTLE_MS = 8_000;
const SETTLE_DEADLINE_MS = 60_000;
const HAS_EVENTS = { 'events.0.at': { $gt: new Date(0) } };

/** For the median of the ratios of each turn. */
const BARS = [
  { name: 'latency of a write, p50', figure: 'p50', limit: 1.1 },
  { name: 'processor time of a write', figure: 'cpuMicros', limit: 1.3 },
] as const;

/** An article of some 5 KB. */
const HTML = '<p>What it costs to write, to edit, to submit and to publish.</p>'.repeat(75);
const TEXTS = [{ html: HTML, cleaned: HTML }];

interface Build {
  readonly server: Server;
  readonly db: mongo.Db;
  readonly headers: Headers;
}

let prefixes = 0;

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    baseline: { type: 'string' },
    candidate: { type: 'string' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '10' },
  });
  const [baseline, candidate] = [entryOf(values.baseline), entryOf(values.candidate)];
  buildIfStale();
  const cpus = chooseCpus();
  const mongod = await startMongo({});
  mongod.pin(cpus.load);
  const builds = {
    baseline: await prepare('baseline', baseline, mongod, cpus),
    candidate: await prepare('candidate', candidate, mongod, cpus),
  };
  // The first load compiles, and does not count.
  for (const build of Object.values(builds)) await write(build, cpus, CAPACITY_SECONDS);
  const rate = (await write(builds.baseline, cpus, CAPACITY_SECONDS)).rate / 2;
  console.log(`${rate.toFixed(0)} writes a second, half of the baseline's capacity; ${cpus.note}`);
  const measure =
    (build: Build) =>
    async ({ seconds }: { seconds: number }) => {
      const { url, cpuSeconds } = build.server;
      const both = { url, cpuSeconds: () => cpuSeconds() + mongod.cpuSeconds() };
      const costOf = countCost(both);
      const written = await write(build, cpus, seconds, rate);
      await settle(build.db);
      return { ...written, ...costOf(written.requests) };
    };
  const { ours, measures, ...rest } = await measureRounds(
    { ours: measure(builds.candidate), baseline: measure(builds.baseline), of: 'p50' },
    { count: Number(values.rounds), seconds: Number(values.seconds) },
  );
  const rows = BARS.map(({ name, figure, limit }) => {
    const ratios = measures.ours.map(
      (measured, turn) => measured[figure] / cycled(measures.baseline, turn)[figure],
    );
    return rowOf({
      ...{ case: name, ours, baseline: rest.baseline },
      ...{ ratio: median(ratios), spread: range(ratios) },
      limit: { kind: 'ratio-max', value: limit },
    });
  });
  console.log(tableOf(rows));
  process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1;
});

function entryOf(folder: string | undefined): string {
  const entry = folder === undefined ? '' : resolve(folder, 'dist/main.js');
  if (!existsSync(entry)) throw new UserError(`two built checkouts are needed\n\n${USAGE}`);
  return entry;
}

/** A server on a database of its own, with a key and somebody who is author and editor. */
async function prepare(name: string, entry: string, mongod: Mongo, cpus: Cpus): Promise<Build> {
  const mongoUri = mongod.uriOf(name);
  const servers = new Servers({ cpus, mongoUri, apiKey: API_KEY });
  const client = await mongoose.mongo.MongoClient.connect(mongoUri);
  atEnd(() => client.close());
  atEnd(() => servers.stopAll());
  const server = await servers.startPressroom({ ACCESS_TOKEN_TTL: '12h' }, { entry });
  const db = client.db();
  await db.collection('api_keys').insertOne({ key: API_KEY, status: true });
  await insertPeople(db);
  return { server, db, headers: await server.signIn(cycled(AUTHOR_ACCOUNTS, 0)) };
}

/** @param rate writes a second; as many as are answered if left out */
function write({ server, headers }: Build, cpus: Cpus, seconds: number, rate?: number) {
  prefixes += 1;
  const articles = { texts: TEXTS, prefix: `written-${prefixes}` };
  const pace = { seconds, connections: CONNECTIONS, ...(rate !== undefined && { rate }) };
  return writeRepeatedly({ server, job: { headers, ...articles, ...pace } }, cpus);
}

/** Waits for what follows the writes, and as long where nothing does. */
async function settle(db: mongo.Db): Promise<void> {
  await wait(SETTLE_MS);
  const deadline = performance.now() + SETTLE_DEADLINE_MS;
  while ((await db.collection('blogs').findOne(HAS_EVENTS)) !== null) {
    if (performance.now() > deadline) throw new Error('events are left that nobody stores');
    await wait(250);
  }
}
