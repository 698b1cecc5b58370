/**
 * Bar 13: what two processes that share the port answer per second of processor time, over what one
 * does. Both get all cores, and the clients share the last one with them, so rates say less here
 * than processor time.
 */
import { signInStorm } from '../load/sign-in-storm.mjs';
import { writeLoop } from '../load/write-loop.mjs';
import { processTree } from '../process.mjs';
import { NO_LIMIT, rowOf } from '../report.mjs';
import { seed } from '../seed.mjs';
import { textsOf } from '../texts.mjs';

export const name = 'workers';
export const bars = [13];

const WORKERS = 2;
const LIMIT = { kind: 'ratio-min', value: 0.9 };
const OF = 'perCpuSecond';
const ARTICLES = 1_000;
const WRITE_CONNECTIONS = 16;
const TEXTS = 20;
const TEXT_BYTES = 5_000;
/** Fewer than the queue of one process holds: what is refused would cost and count for nothing. */
const SIGN_INS_IN_FLIGHT = 16;
/** Sign-ins take a tenth of a second each; fewer would be counted in too large steps. */
const SIGN_IN_SECONDS = 10;
const HOT_CONNECTIONS = 64;

export async function run(bench) {
  const one = await startOn(bench, 'workers-one', { WORKERS: '1' });
  const two = await startOn(bench, 'workers-two', { WORKERS: String(WORKERS) });
  const other = await startOn(bench, 'workers-other', { WORKERS: '1' });
  if (processTree(two.pid).length < WORKERS) {
    throw new Error('WORKERS=2 is one process here');
  }
  const { hotReads, signIns, writes } = loadsOf(bench);
  const row = async (what, load) => {
    const figures = await bench.rounds({ ours: load(two), baseline: load(one), of: OF });
    const rates = (figures.ours.rate / figures.baseline.rate).toFixed(2);
    return rowOf({
      bar: 13,
      case: `${what} per CPU-second, two workers over one`,
      ...figures,
      limit: LIMIT,
      note: `${rates} x the rate of one`,
    });
  };
  const apart = async () => {
    const baseline = together(writes, [one, other]);
    return rowOf({
      bar: 13,
      case: 'writes per CPU-second, two workers over two servers apart',
      ...(await bench.rounds({ ours: writes(two), baseline, of: OF })),
      limit: NO_LIMIT,
      note:
        'servers with a database of their own each know nothing of each other: what two of them lose ' +
        'against one is lost to the machine, where they share the cores with MongoDB and the clients',
    });
  };
  return [
    await row('hot reads', hotReads),
    await row('sign-ins', signIns),
    await row('writes', writes),
    await apart(),
  ];
}

/** A database of its own: a server whose turn it is not would go on following the changes. */
async function startOn(bench, database, env) {
  const uri = bench.mongo.uriOf(database);
  const world = await seed(uri, { count: ARTICLES, articlesFile: bench.options.articles });
  const cpu = bench.cpus.server === null ? null : `${bench.cpus.server},${bench.cpus.load}`;
  const server = await bench.startPressroom(
    { ACCESS_TOKEN_TTL: '12h', MONGODB_URI: uri, ...env },
    { cpu },
  );
  const token = await server.signIn(world.authors[0]);
  return Object.assign(server, { world, token });
}

/** Each: from a server to a function that measures once. */
function loadsOf(bench) {
  const texts = textsOf(bench.options, { count: TEXTS, bytes: TEXT_BYTES });
  let run = 0;
  const readOf = ({ world }) => ({
    path: `/blog/slug/${encodeURIComponent(world.slugs[0])}`,
    headers: { 'x-api-key': world.apiKey },
  });
  return {
    hotReads: (server) => (options) =>
      bench.closedLoop({ server, ...readOf(server), connections: HOT_CONNECTIONS, ...options }),
    signIns: (server) => () =>
      measuredBy(server, (ready) =>
        signInStorm(
          {
            server,
            accounts: server.world.readers,
            apiKey: server.world.apiKey,
            read: readOf(server),
            ready,
            inFlight: SIGN_INS_IN_FLIGHT,
            seconds: SIGN_IN_SECONDS,
            waitsWhenRefused: true,
          },
          bench.cpus,
        ),
      ),
    writes:
      (server, connections = WRITE_CONNECTIONS) =>
      (options) => {
        run += 1;
        const prefix = `by-workers-${Date.now().toString(36)}-${run}`;
        const { headers: key } = readOf(server);
        const headers = { ...key, authorization: `Bearer ${server.token}` };
        return writeLoop({ server, headers, texts, prefix, connections, ...options }, bench.cpus);
      },
  };
}

/** The same clients, shared among servers. */
function together(load, servers) {
  const loads = servers.map((server) => load(server, WRITE_CONNECTIONS / servers.length));
  return async (options) => {
    const measures = await Promise.all(loads.map((measure) => measure(options)));
    const sum = (of) => measures.reduce((total, measure) => total + of(measure), 0);
    const requests = sum((measure) => measure.requests);
    const cpuMicros = sum((measure) => measure.cpuMicros * measure.requests) / requests;
    const rate = sum((measure) => measure.rate);
    return { rate, requests, cpuMicros, perCpuSecond: 1e6 / cpuMicros, errors: 0 };
  };
}

async function measuredBy(server, load) {
  let before = NaN;
  const measure = await load(async () => {
    before = server.cpuSeconds();
  });
  const { requests } = measure;
  return { ...measure, perCpuSecond: requests / (server.cpuSeconds() - before) };
}
