import { randomInt } from 'node:crypto';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { CREDENTIALS, startOwnServer } from '../scripts/support/own-server.ts';
import { table } from '../scripts/support/table.ts';
import { UserError } from '../scripts/support/user-error.ts';
import { Connections, type Answer } from './load/connections.ts';
import { atEnd, runProgram, valuesOf } from './support/program.ts';
import { cycled, median, quantile } from './support/statistics.ts';

const USAGE = `npm run bench:signin-timing -- [--pairs N] [--bcrypt bcryptjs]

Does the time of a refused sign-in tell whether there is such an account? Starts a Pressroom of its
own and sends pairs of refused sign-ins, one for an account and one for none, in random order. Exits
with 1 when the medians differ by more than a millisecond.

  --pairs N          default 2000
  --bcrypt bcryptjs  keeps the native module from loading`;

const ACCOUNTS = 50;
const BAR_MS = 1;
const RESAMPLES = 2_000;
const WARM_UP_PAIRS = 20;
/** The module looks for a build for another platform then, which is not installed. */
const BCRYPT_ENV: Record<string, Record<string, string>> = {
  '@node-rs/bcrypt': {},
  bcryptjs: { NAPI_RS_FORCE_WASI: 'error' },
};

/** Milliseconds of a sign-in for an account, and of one for none. */
interface Pair {
  known: number;
  unknown: number;
}

type Post = (path: string, body: object) => Promise<Answer>;

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    pairs: { type: 'string', default: '2000' },
    bcrypt: { type: 'string', default: '@node-rs/bcrypt' },
  });
  if (!Object.hasOwn(BCRYPT_ENV, values.bcrypt)) {
    throw new UserError(`--bcrypt is one of ${Object.keys(BCRYPT_ENV).join(', ')}`);
  }
  const pairCount = Number(values.pairs);
  buildIfStale();
  const server = await startOwnServer({
    env: { LOG_REQUESTS: 'none', DOCS: 'off', LOG_LEVEL: 'info', ...BCRYPT_ENV[values.bcrypt] },
  });
  atEnd(() => server.stop());
  if (!server.readLog().includes(`passwords are hashed by ${values.bcrypt}`)) {
    throw new Error(`the server does not use ${values.bcrypt}`);
  }
  const connection = new Connections(server.url, 1);
  atEnd(() => connection.close());
  const headers = { 'x-api-key': CREDENTIALS.apiKey };
  const post: Post = (path, body) =>
    connection.send({ method: 'POST', path, headers, body: JSON.stringify(body) });
  await signUpAccounts(post);
  const pairs: Pair[] = [];
  const answers = new Set<string>();
  for (let index = -WARM_UP_PAIRS; index < pairCount; index += 1) {
    const pair = await measurePair(post, answers);
    if (index >= 0) pairs.push(pair);
    if (index > 0 && index % 250 === 0) console.error(`${index} of ${pairCount} pairs`);
  }
  console.log(report(pairs, answers));
});

async function signUpAccounts(post: Post): Promise<void> {
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const email = addressOf('person', number);
    const body = { email, password: CREDENTIALS.password, name: 'Somebody' };
    const { status } = await post('/auth/signup/basic', body);
    if (status !== 200) throw new Error(`sign-up answered ${status}`);
  }
}

/** @param answers to which those that came are added */
async function measurePair(post: Post, answers: Set<string>): Promise<Pair> {
  const number = randomInt(ACCOUNTS);
  const pair = { known: 0, unknown: 0 };
  const order = ['known', 'unknown'] as const;
  for (const kind of randomInt(2) === 0 ? order : order.toReversed()) {
    // As long as the other's, so that only the look-up differs.
    const email = addressOf(kind === 'known' ? 'person' : 'nobody', number);
    const startedAt = performance.now();
    const { status, body } = await post('/auth/signin/basic', { email, password: 'a wrong one' });
    pair[kind] = performance.now() - startedAt;
    answers.add(`${status} ${body}`);
  }
  return pair;
}

function addressOf(name: string, number: number): string {
  return `${name}-${String(number).padStart(4, '0')}@example.org`;
}

function report(pairs: readonly Pair[], answers: ReadonlySet<string>): string {
  const known = median(pairs.map((pair) => pair.known));
  const unknown = median(pairs.map((pair) => pair.unknown));
  const difference = known - unknown;
  const [low, high] = interval(pairs);
  const isReached = Math.abs(difference) <= BAR_MS && answers.size === 1;
  process.exitCode = isReached ? 0 : 1;
  return [
    table([
      ['refused sign-in', 'count', 'p50 ms', 'p95 ms'],
      ...(['known', 'unknown'] as const).map((kind) => {
        const times = pairs.map((pair) => pair[kind]);
        const cells = [0.5, 0.95].map((share) => quantile(times, share).toFixed(3));
        return [kind, String(times.length), ...cells];
      }),
    ]),
    `difference of the medians: ${difference.toFixed(3)} ms (95 % interval ${low.toFixed(3)} to ` +
      `${high.toFixed(3)} ms, ${RESAMPLES} resamples of the pairs); bar: within ${BAR_MS} ms`,
    `different answers: ${answers.size} (${[...answers].join(' | ')})`,
    isReached ? 'reached' : 'NOT REACHED',
  ].join('\n\n');
}

/** Bootstrap of the pairs: what noise there was in a moment, both of a pair have had. */
function interval(pairs: readonly Pair[]): [number, number] {
  const differences = Array.from({ length: RESAMPLES }, () => {
    const sample = pairs.map(() => cycled(pairs, randomInt(pairs.length)));
    return median(sample.map((pair) => pair.known)) - median(sample.map((pair) => pair.unknown));
  });
  return [quantile(differences, 0.025), quantile(differences, 0.975)];
}
