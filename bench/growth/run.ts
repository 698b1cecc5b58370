import { report, type Finding } from '../support/findings.ts';
import { table } from '../../scripts/support/table.ts';
import { messageOf, UserError } from '../../scripts/support/user-error.ts';
import { API_KEY } from '../data/people.ts';
import { seedBytes } from '../data/seed.ts';
import { chooseCpus } from '../support/machine/cpus.ts';
import { startMongo } from '../support/servers/mongo.ts';
import { Servers } from '../support/servers/servers.ts';
import { median } from '../support/statistics.ts';
import { fill, sizesOf, SMALL, type Sizes } from './fill.ts';
import { measureJobs } from './jobs.ts';
import { Newsroom, STATES, type State } from './newsroom.ts';
import { operationsOf, type Description, type Operation } from './operations.ts';
import type { GrowthOptions } from './options.ts';
import { OPTION_VALUES, partsOf, requestOf, type Request } from './requests.ts';

/** An operation fails if it takes longer than on the small database by more than both of these. */
const FACTOR_MAX = 4;
const MORE_MAX_MS = 10;
/** Number of times that an operation is measured before it fails. */
const TRIES = 2;

/** The operations that may take longer, each with its reason. */
const MAY_GROW: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/ page=/, 'skips the keys of the pages before it; a cursor does not'],
  [/sitemap\.xml start=/, 'returns up to 50,000 URLs'],
  [/admin\/media\/usage/, 'sums the keys of all pictures'],
];

/**
 * The operations that are not measured: they need what is only in a mail, in an app or in a browser, or at a provider, or
 * send as long as they may.
 */
const NOT_MEASURED =
  /^GET \/notices\/stream|^POST \/auth\/(password\/reset|email\/(confirm|undo|verify)|invitation\/|signin\/passkey|factors\/(totp\/confirm|passkeys$|recovery))|\/auth\/(factors\/id|oidc)\//;

interface Row {
  readonly name: string;
  readonly small: number;
  readonly large: number;
  readonly note: string;
  readonly isMet: boolean;
}

/** Fills both databases, measures every operation on both in turn, and prints the table. */
export async function measureGrowth({ live, samples, only, jobs }: GrowthOptions): Promise<void> {
  const cpus = chooseCpus();
  const mongo = await startMongo({ dataBytes: 2 * seedBytes(live, 1_024), cacheGigabytes: 2 });
  const uris = [mongo.uriOf('small'), mongo.uriOf('large')] as const;
  const leavers = [await fill(uris[0], SMALL), await fill(uris[1], sizesOf(live))] as const;
  if (cpus.load !== null) mongo.pin(cpus.load);
  const servers = new Servers({ cpus, mongoUri: mongo.uri, apiKey: API_KEY });
  const open = async (at: 0 | 1): Promise<Newsroom> => {
    const env = {
      CACHE_MB: '0',
      DOCS: 'on',
      SITE_URL: 'https://blog.example',
      // Mails are stored, and no server takes them.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'desk@bench.example',
      PUBLIC_URL: 'https://api.bench.example',
    };
    const server = await servers.startPressroom({ ...env, MONGODB_URI: uris[at] });
    return Newsroom.open(server, leavers[at].some);
  };
  const rows: Row[] = [];
  const findings: Finding[] = [];
  try {
    const newsrooms = [await open(0), await open(1)] as const;
    // The operations leave webhooks, which would get the events of the jobs.
    if (jobs) findings.push(...(await measureJobs(newsrooms[1], leavers[1], cpus)));
    const description = await fetch(`${newsrooms[0].server.url}/openapi.json`);
    const all = operationsOf((await description.json()) as Description, OPTION_VALUES);
    const operations = all.filter(({ name }) => name.includes(only) && !NOT_MEASURED.test(name));
    if (operations.length === 0 && !jobs)
      throw new UserError(`no operation has ${only} in its name`);
    for (const operation of operations) {
      const row = await measureRow(newsrooms, operation, samples);
      if (row) rows.push(row);
    }
  } finally {
    await servers.stopAll();
  }
  const isMet = print(rows, sizesOf(live));
  if (findings.length > 0) report(findings, 'job');
  if (!isMet) process.exitCode = 1;
}

/** @returns null for a list that has no next page */
async function measureRow(
  newsrooms: readonly [Newsroom, Newsroom],
  operation: Operation,
  samples: number,
): Promise<Row | null> {
  const { name } = operation;
  const startedAt = performance.now();
  try {
    const state = await stateFor(newsrooms[0], operation);
    if (state === null) return null;
    let row = await compare(newsrooms, operation, state, samples);
    for (let tries = 1; tries < TRIES && !row.isMet; tries += 1) {
      row = await compare(newsrooms, operation, state, samples);
    }
    return row;
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    return { name, small: NaN, large: NaN, note: `not measured: ${reason}`, isMet: false };
  } finally {
    const seconds = (performance.now() - startedAt) / 1_000;
    if (seconds > 2) console.error(`${name}: ${seconds.toFixed(0)} s`);
  }
}

/** Finds the state of an article in which the operation succeeds. @throws Error with the first refusal */
async function stateFor(newsroom: Newsroom, operation: Operation): Promise<State | null> {
  let refusal: unknown;
  for (const state of STATES) {
    try {
      const request = await requestOf(await partsOf(newsroom, operation, state));
      if (request) await send(request);
      return request && state;
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

async function compare(
  newsrooms: readonly [Newsroom, Newsroom],
  operation: Operation,
  state: State,
  samples: number,
): Promise<Row> {
  // A request that changes something needs records of its own. They are made before anything is measured.
  const requests = await Promise.all(
    newsrooms.map(async (newsroom) => {
      const make = async () => requestOf(await partsOf(newsroom, operation, state));
      const kept = operation.method === 'GET' ? make() : null;
      return Promise.all(Array.from({ length: samples + 1 }, () => kept ?? make()));
    }),
  );
  const times: readonly number[][] = newsrooms.map(() => []);
  for (let round = 0; round <= samples; round += 1) {
    for (const [at, made] of requests.entries()) {
      const request = made[round];
      if (!request) throw new Error('the list has no next page');
      const milliseconds = await send(request);
      // The first round is not counted.
      if (round > 0) times[at]?.push(milliseconds);
    }
  }
  const [small, large] = times.map(median) as [number, number];
  const grows = large > FACTOR_MAX * small && large - small > MORE_MAX_MS;
  const [, reason = ''] = MAY_GROW.find(([pattern]) => pattern.test(operation.name)) ?? [];
  return {
    name: operation.name,
    small,
    large,
    note: grows ? reason : '',
    isMet: !grows || reason !== '',
  };
}

/** @returns the duration in milliseconds @throws Error for an answer that is no success */
async function send({ url, init }: Request): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, init);
  const text = await answer.text();
  const milliseconds = performance.now() - startedAt;
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`);
  return milliseconds;
}

/** @returns whether no operation fails */
function print(
  rows: readonly Row[],
  { live, others, tags, users, sessions, messages }: Sizes,
): boolean {
  const cell = (value: number, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : '');
  const lines = rows.map(({ name, small, large, note, isMet }) => [
    name,
    cell(small),
    cell(large),
    cell(large / small),
    isMet ? 'yes' : 'NO',
    note,
  ]);
  console.log(
    `small: ${SMALL.live} live articles; large: ${live}, with ${others} drafts and submissions, ${tags} tags, ` +
      `${users} users, ${sessions} sessions, ${messages} messages; medians in ms, one client, CACHE_MB=0\n`,
  );
  console.log(table([['operation', 'small', 'large', 'ratio', 'met', ''], ...lines]));
  const failed = rows.filter(({ isMet }) => !isMet).length;
  console.log(`\n${rows.length - failed} passed, ${failed} failed\n`);
  return failed === 0;
}
