import { setTimeout as wait } from 'node:timers/promises';
import { publishArticle, signInAdmin, signUpAuthor } from '../../support/newsroom.ts';
import type { Call } from '../../../scripts/support/own-server.ts';
import { cycled } from '../../support/statistics.ts';
import { startBalancer } from '../bed/balancer.ts';
import { startBed, type Bed } from '../bed/bed.ts';
import type { Fault, Form, Row } from '../program.ts';
import { explained, zero } from '../report.ts';
import { load, type Loaded } from './load.ts';
import { pipeline, type Pipelined } from './pipelining.ts';
import { restart, restartWorkers, type Restart } from './restart.ts';

const RESTARTS: Readonly<Record<Form, number>> = { reduced: 1, short: 5, long: 50 };
const WORKER_RESTARTS: Readonly<Record<Form, number>> = { reduced: 1, short: 2, long: 50 };
const ARTICLES = 20;
/** Before and after restarts. The balancer tries a server again when its `fail_timeout` of 1 s is over. */
const PAUSE_MS = 2_500;
const EXIT_MS = 10_000;

/** A server is restarted while it is under load: first one of two behind a balancer, then its workers. */
export const ROLLING_RESTARTS: Fault = {
  name: 'restarts',
  isReduced: false,
  runsBesideOthers: false,
  async run(form) {
    const bed = await startBed({
      ...{ members: 1, servers: 3 },
      // The log says when all have been restarted.
      optionsOf: (index) => (index === 2 ? { env: { WORKERS: '2', LOG_LEVEL: 'info' } } : {}),
    });
    const [first, second, workers] = bed.servers;
    if (!second || !workers) throw new Error('there are not three servers');
    const pair = [first, second];
    const balancer = await startBalancer(pair.map(({ port }) => port));
    const paths = await publishedPaths(first.process.call);

    const restarts: Restart[] = [];
    const behind = await underLoad(
      { url: balancer.url, direct: pair.map(({ url }) => url), paths },
      async (at) => restarts.push(await restart(cycled(pair, at))),
      RESTARTS[form],
    );
    const alone = await underLoad(
      { url: workers.url, direct: [workers.url], paths },
      () => restartWorkers(workers),
      WORKER_RESTARTS[form],
    );
    const one = `${restarts.length} restarts of one of two`;
    const byOne = `${WORKER_RESTARTS[form]} × SIGUSR2, WORKERS=2`;
    const exits = restarts.map(({ exitMs }) => exitMs);
    const violations = restarts.flatMap((each) => each.violations);
    return [
      ...rowsOf(`${one}, nginx`, behind, balancer.errors()),
      zero('not ready first, then drained', one, violations, restarts.length),
      {
        ...{ promise: 'exits in time', fault: one, bar: `≤ ${EXIT_MS / 1_000} s` },
        measured: `${(Math.max(...exits) / 1_000).toFixed(1)} s at most`,
        isKept: exits.every((ms) => ms <= EXIT_MS),
        history: exits.map((ms) => `${Math.round(ms)} ms`),
      },
      ...rowsOf(byOne, alone),
      await storedRow(bed, [...behind.loaded.written, ...alone.loaded.written]),
    ];
  },
};

interface UnderLoad {
  readonly loaded: Loaded;
  readonly pipelined: Pipelined;
}

/** @param count how often it is restarted */
async function underLoad(
  { url, direct, paths }: { url: string; direct: readonly string[]; paths: readonly string[] },
  restartOne: (at: number) => Promise<unknown>,
  count: number,
): Promise<UnderLoad> {
  let isOver = false;
  const both = [load(url, paths, () => isOver), pipeline(direct, paths, () => isOver)] as const;
  await wait(PAUSE_MS);
  for (let at = 0; at < count; at += 1) {
    await restartOne(at);
    await wait(PAUSE_MS);
  }
  isOver = true;
  const [loaded, pipelined] = await Promise.all(both);
  return { loaded, pipelined };
}

/** @param errors what the balancer says of each failure */
function rowsOf(
  fault: string,
  { loaded, pipelined }: UnderLoad,
  errors: readonly string[] = [],
): readonly Row[] {
  const { sent, written, failures } = loaded;
  const { answered, repeated } = pipelined;
  const what = `${fault}, ${written.length} writes`;
  return [
    explained(zero('a restart is invisible', what, failures, sent), errors),
    zero('also to pipelining', `${fault}, ${repeated} repeated`, pipelined.failures, answered),
  ];
}

async function publishedPaths(call: Call): Promise<readonly string[]> {
  const admin = await signInAdmin(call);
  const { token: author } = await signUpAuthor(call, 'author@faults.example', admin);
  const text = { description: 'For readers.', tags: ['read'], draftText: '<p>A text.</p>' };
  const paths = ['/blogs/latest?limit=20'];
  for (let at = 0; at < ARTICLES; at += 1) {
    const tokens = { author, editor: admin };
    const { _id, slug } = await publishArticle(call, tokens, { ...text, title: `Article ${at}` });
    paths.push(`/blog/slug/${slug}`, `/blog/id/${_id}`);
    // An unknown parameter: not from the response cache.
    if (at % 4 === 0) paths.push(`/blog/slug/${slug}?n=${at}`);
  }
  return paths;
}

/** Whether each message that was acknowledged is there once. */
async function storedRow(bed: Bed, written: readonly string[]): Promise<Row> {
  const primary = await bed.replicaSet.primary();
  const texts = await primary.withClient(async (connection) => {
    const messages = connection.db('pressroom').collection('messages');
    return (await messages.find().toArray()).map(({ msg }) => String(msg));
  });
  const counts = Map.groupBy(texts, (text) => text);
  const violations = written.flatMap((text) => {
    const count = counts.get(text)?.length ?? 0;
    return count === 1 ? [] : [`"${text}" is stored ${count} times`];
  });
  return zero('an acknowledged write is stored once', 'all restarts', violations, written.length);
}
