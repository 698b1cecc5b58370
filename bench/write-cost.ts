import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import bcrypt from 'bcryptjs';
import mongoose from 'mongoose';
import { table } from '../scripts/table.mjs';
import { chooseCpus } from './performance/cpus.mjs';
import { Connections } from './performance/load/agent.mjs';
import { startMongo } from './performance/mongo.mjs';
import { cpuSecondsOf } from './performance/process.mjs';
import { runProgram } from './performance/run-program.mjs';
import { Servers } from './performance/servers.mjs';

const USAGE = `usage: node bench/write-cost.ts --baseline DIR --candidate DIR [--rounds N] [--seconds N]

Compares what a write costs in two built checkouts, in turns on one MongoDB: articles that are
created, edited, submitted and published. Prints the median latency at half of the baseline's
capacity, and the processor time of server and MongoDB per write, until what follows a write is done
as well. Exits with 1 when a ratio is above its bar.

  --rounds N   turns of each; default 6
  --seconds N  of load in a turn; default 10`;

const API_KEY = 'the-key-of-the-bench';
const PASSWORD = 'correct horse battery';
const CONNECTIONS = 16;
const CAPACITY_SECONDS = 4;
const WARM_UP_SECONDS = 3;
/** Longer than the relay's interval, and the same for both. */
const SETTLE_MS = 8_000;
const SETTLE_DEADLINE_MS = 60_000;
/** Medians of the ratios of each turn. */
const BARS = { latency: 1.1, processor: 1.3 };

/** An article of some 5 KB. */
const TEXT = '<p>What it costs to write, to edit, to submit and to publish.</p>'.repeat(75);

type Database = mongoose.mongo.Db;

/** What the helpers return, which are plain JavaScript. */
interface Mongo {
  readonly pid: number;
  pin(cpu: string | null): void;
  uriOf(database: string): string;
}

interface Server {
  readonly url: string;
  readonly pid: number;
  signIn(person: { readonly email: string; readonly password: string }): Promise<string>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Build {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly db: Database;
  readonly connections: Connections;
  readonly headers: Readonly<Record<string, string>>;
}

interface Turn {
  readonly p50: number;
  /** Microseconds of server and MongoDB per write. */
  readonly processor: number;
}

let written = 0;

await runProgram(async (args: string[]) => {
  const { values } = parseArgs({
    args,
    options: {
      baseline: { type: 'string' },
      candidate: { type: 'string' },
      rounds: { type: 'string', default: '6' },
      seconds: { type: 'string', default: '10' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || !values.baseline || !values.candidate) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const folders = { baseline: values.baseline, candidate: values.candidate };
  await compare(folders, Number(values.rounds), Number(values.seconds));
});

async function compare(
  folders: { readonly baseline: string; readonly candidate: string },
  rounds: number,
  seconds: number,
): Promise<void> {
  const cpus = chooseCpus();
  const mongo = (await startMongo({ folder: undefined })) as unknown as Mongo;
  mongo.pin(cpus.load);
  const builds: Build[] = [];
  const running: { stopAll(): Promise<void> }[] = [];
  try {
    for (const [name, folder] of Object.entries(folders)) {
      const mongoUri = mongo.uriOf(name);
      const servers = new Servers({ cpus, mongoUri, apiKey: API_KEY });
      running.push(servers);
      const entry = resolve(folder, 'dist/main.js');
      const server: unknown = await servers.startPressroom({ ACCESS_TOKEN_TTL: '12h' }, { entry });
      builds.push(await prepare(name, mongoUri, server as Server));
    }
    const [baseline, candidate] = builds as [Build, Build];
    for (const build of builds) await load(build, WARM_UP_SECONDS, null);
    const { length } = await load(baseline, CAPACITY_SECONDS, null);
    const rate = length / CAPACITY_SECONDS / 2;
    console.log(
      `${rate.toFixed(0)} writes a second, half of the baseline's capacity; ${cpus.note}`,
    );
    const turns: Record<string, Turn[]> = { baseline: [], candidate: [] };
    for (let round = 0; round < rounds; round += 1) {
      // Each goes first every other time.
      const order = round % 2 === 0 ? [baseline, candidate] : [candidate, baseline];
      for (const build of order) {
        const turn = await measure(build, mongo.pid, seconds, rate);
        turns[build.name]?.push(turn);
        console.log(`${build.name}: ${turn.p50.toFixed(2)} ms, ${turn.processor.toFixed(0)} us`);
      }
    }
    report(turns['baseline'] ?? [], turns['candidate'] ?? []);
  } finally {
    for (const build of builds) build.connections.close();
    for (const servers of running) await servers.stopAll();
  }
}

/** A key, and somebody who is author and editor. */
async function prepare(name: string, mongoUri: string, server: Server): Promise<Build> {
  const client = await mongoose.mongo.MongoClient.connect(mongoUri);
  const db = client.db();
  const roles = await db.collection('roles').find().toArray();
  await db.collection('api_keys').insertOne({ key: API_KEY, status: true });
  const now = new Date();
  const email = 'ada@example.org';
  await db.collection('users').insertOne({
    email,
    name: 'Ada',
    password: await bcrypt.hash(PASSWORD, 10),
    roles: roles.map(({ _id }) => _id),
    verified: false,
    status: true,
    epoch: 0,
    createdAt: now,
    updatedAt: now,
  });
  const token = await server.signIn({ email, password: PASSWORD });
  return {
    name,
    url: server.url,
    pid: server.pid,
    db,
    connections: new Connections(server.url, CONNECTIONS),
    headers: { 'x-api-key': API_KEY, authorization: `Bearer ${token}` },
  };
}

async function measure(build: Build, mongod: number, seconds: number, rate: number): Promise<Turn> {
  const processor = () => Number(cpuSecondsOf(build.pid)) + Number(cpuSecondsOf(mongod));
  const before = processor();
  const latencies = await load(build, seconds, rate);
  await settle(build.db);
  const spent = processor() - before;
  return { p50: medianOf(latencies), processor: (spent / latencies.length) * 1e6 };
}

/** Waits for what follows the writes, and as long where nothing does. */
async function settle(db: Database): Promise<void> {
  await wait(SETTLE_MS);
  const deadline = performance.now() + SETTLE_DEADLINE_MS;
  while ((await db.collection('blogs').findOne({ 'events.0.at': { $gt: new Date(0) } })) !== null) {
    if (performance.now() > deadline) throw new Error('events are left that nobody stores');
    await wait(250);
  }
}

/**
 * @param rate writes a second; null for as many as are answered
 * @returns the latencies in milliseconds, from when each write was due
 */
async function load(build: Build, seconds: number, rate: number | null): Promise<number[]> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  let sent = 0;
  const writer = async (): Promise<void> => {
    for (;;) {
      for (const write of articleOf(build)) {
        const due = rate === null ? performance.now() : startedAt + (sent / rate) * 1_000;
        if (due >= end || performance.now() >= end) return;
        sent += 1;
        // Never early; the lateness of the timer counts for both builds.
        while (performance.now() < due) await wait(1);
        await write();
        latencies.push(performance.now() - due);
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, writer));
  return latencies;
}

/** The writes of one article, in order. */
function articleOf({ connections, headers }: Build): (() => Promise<void>)[] {
  const number = (written += 1);
  let id = '';
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const request = { method, path, headers, ...json } as Parameters<Connections['send']>[0];
    const { status, body: text } = (await connections.send(request)) as Answer;
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    id ||= (JSON.parse(text) as { data: { _id: string } }).data._id;
  };
  const article = {
    title: `Written under load, number ${number}`,
    description: 'What it costs to write, to edit, to submit and to publish an article.',
    draftText: TEXT,
    slug: `written-${Date.now().toString(36)}-${number}`,
    tags: ['bench', `batch ${number % 50}`],
  };
  return [
    () => send('POST', '/blog/author', article),
    () => send('PUT', `/blog/author/id/${id}`, { title: `Edited, number ${number}` }),
    () => send('PUT', `/blog/author/submit/${id}`),
    () => send('PUT', `/blog/editor/publish/id/${id}`),
  ];
}

function report(baseline: readonly Turn[], candidate: readonly Turn[]): void {
  const rows = (
    [
      ['p50 in ms', 'p50', BARS.latency],
      ['processor time per write in us', 'processor', BARS.processor],
    ] as const
  ).map(([title, figure, bar]) => {
    const ratios = candidate.map((turn, at) => turn[figure] / (baseline[at]?.[figure] ?? NaN));
    const ratio = medianOf(ratios);
    if (!(ratio <= bar)) process.exitCode = 1;
    return [
      title,
      medianOf(baseline.map((turn) => turn[figure])).toFixed(2),
      medianOf(candidate.map((turn) => turn[figure])).toFixed(2),
      ratio.toFixed(3),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      bar.toFixed(2),
    ];
  });
  console.log(table([['', 'baseline', 'candidate', 'ratio', 'spread', 'bar'], ...rows]));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}
