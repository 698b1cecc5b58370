/**
 * What two processes that share the port answer per second of processor time, over what one
 * does. Both get all cores, and the clients share the last one with them, so rates say less here
 * than processor time.
 */
import type { Rate } from '../../../load/measure.ts';
import { processTree } from '../../../support/processes.ts';
import { cycled } from '../../../support/statistics.ts';
import type { Bench } from '../../bench.ts';
import { seed, type DataSet } from '../../data/seed.ts';
import { articlePath } from '../../load/mixed-requests.ts';
import { signInRepeatedly } from '../../load/sign-ins.ts';
import { textsOf } from '../../load/texts.ts';
import { writeRepeatedly } from '../../load/writes.ts';
import { NO_LIMIT, rowOf, type Limit, type Row } from '../../report.ts';
import type { Program } from '../../rounds.ts';
import type { Headers, Server } from '../../servers.ts';

export const name = 'workers';
/** It fills databases of its own. */
export const needs = { count: 0 };

const WORKERS = 2;
const LIMIT: Limit = { kind: 'ratio-min', value: 0.9 };
const OF = 'perCpuSecond';
const ARTICLES = 1_000;
const WRITE_CONNECTIONS = 16;
const TEXTS = { count: 20, bytes: 5_000 };
/** Fewer than the queue of one process holds: what is refused would cost and count for nothing. */
const SIGN_INS_IN_FLIGHT = 16;
/** Sign-ins take a tenth of a second each; fewer would be counted in too large steps. */
const SIGN_IN_SECONDS = 10;

type Measured = Rate & { perCpuSecond: number };

interface FilledServer extends Server {
  readonly data: DataSet;
  /** Of an author. */
  readonly headers: Headers;
}

/** From a server to what measures it once. */
type Load = (server: FilledServer) => Program<Measured>;

export async function run(bench: Bench): Promise<Row[]> {
  const one = await startOn(bench, 'workers-one', 1);
  const two = await startOn(bench, 'workers-two', WORKERS);
  const other = await startOn(bench, 'workers-other', 1);
  if (processTree(two.pid).length < WORKERS) {
    throw new Error('WORKERS=2 is one process here');
  }
  const { reads, signIns, writes } = loadsOf(bench);
  const row = async (what: string, load: Load) => {
    const figures = await bench.rounds({ ours: load(two), baseline: load(one), of: OF });
    const rates = (figures.ours.rate / figures.baseline.rate).toFixed(2);
    return rowOf({
      case: `${what} per CPU-second, two workers over one`,
      ...figures,
      limit: LIMIT,
      note: `${rates} x the rate of one`,
    });
  };
  const apart = async () => {
    const share = WRITE_CONNECTIONS / 2;
    const baseline = inSum([writes(one, share), writes(other, share)]);
    return rowOf({
      case: 'writes per CPU-second, two workers over two servers apart',
      ...(await bench.rounds({ ours: writes(two), baseline, of: OF })),
      limit: NO_LIMIT,
      note:
        'servers with a database of their own each know nothing of each other: what two of them lose ' +
        'against one is lost to the machine, where they share the cores with MongoDB and the clients',
    });
  };
  return [
    await row('cached reads', reads),
    await row('sign-ins', signIns),
    await row('writes', writes),
    await apart(),
  ];
}

/** A database of its own: a server whose turn it is not would go on following the changes. */
async function startOn(bench: Bench, database: string, workers: number): Promise<FilledServer> {
  const { cpus, options } = bench;
  const uri = bench.mongo.uriOf(database);
  const data = await seed(uri, { count: ARTICLES, articlesFile: options.articles });
  const cpu = cpus.server === null ? null : `${cpus.server},${cpus.load}`;
  const server = await bench.startPressroom(
    { ACCESS_TOKEN_TTL: '12h', MONGODB_URI: uri, WORKERS: String(workers) },
    { cpu },
  );
  return { ...server, data, headers: await server.signIn(cycled(data.authors, 0)) };
}

function loadsOf(bench: Bench) {
  const { cpus } = bench;
  const texts = textsOf(bench.options, TEXTS);
  let run = 0;
  const readOf = ({ data }: FilledServer) => ({
    path: articlePath(cycled(data.slugs, 0)),
    headers: { 'x-api-key': data.apiKey },
  });
  const reads: Load = (server) => (order) =>
    bench.closedLoop({ server, ...readOf(server), ...order });
  const signIns: Load = (server) => () => {
    const read = readOf(server);
    const job = {
      ...{ accounts: server.data.readers, read, headers: read.headers },
      ...{ inFlight: SIGN_INS_IN_FLIGHT, seconds: SIGN_IN_SECONDS, waitsWhenRefused: true },
    };
    return signInRepeatedly({ server, job }, cpus);
  };
  const writes = (server: FilledServer, connections = WRITE_CONNECTIONS): ReturnType<Load> => {
    const { headers } = server;
    return ({ seconds }) => {
      run += 1;
      const prefix = `by-workers-${Date.now().toString(36)}-${run}`;
      const job = { headers, texts, prefix, connections, seconds };
      return writeRepeatedly({ server, job }, cpus);
    };
  };
  return { reads, signIns, writes };
}

/** At the same time, as if they were one server. */
function inSum(programs: readonly Program<Measured>[]): Program<Measured> {
  return async (order) => {
    const measures = await Promise.all(programs.map((measure) => measure(order)));
    const sum = (of: (measure: Measured) => number) =>
      measures.reduce((total, measure) => total + of(measure), 0);
    const requests = sum((measure) => measure.requests);
    const cpuSeconds = sum((measure) => measure.requests / measure.perCpuSecond);
    return { rate: sum(({ rate }) => rate), requests, perCpuSecond: requests / cpuSeconds };
  };
}
