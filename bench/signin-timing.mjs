/**
 * Does the time of a refused sign-in tell whether there is such an account? Starts a Pressroom of its
 * own and sends pairs of refused sign-ins, one for an account and one for none, in random order.
 *
 *   npm run build && npm run bench:signin-timing -- [--pairs 2000] [--bcrypt bcryptjs]
 *
 * `--bcrypt bcryptjs` keeps the native module from loading.
 *
 * Exit code 1 when the medians differ by more than a millisecond.
 */
import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { CREDENTIALS, startOwnServer } from '../scripts/support/own-server.ts';
import { table } from '../scripts/support/table.ts';

const ACCOUNTS = 50;
const BAR_MS = 1;
const RESAMPLES = 2_000;
const WARM_UP_PAIRS = 20;
/** The module looks for a build for another platform then, which is not installed. */
const BCRYPT_ENV = { '@node-rs/bcrypt': {}, bcryptjs: { NAPI_RS_FORCE_WASI: 'error' } };

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '2000' },
    bcrypt: { type: 'string', default: '@node-rs/bcrypt' },
  },
});
if (!Object.hasOwn(BCRYPT_ENV, values.bcrypt)) {
  throw new Error(`--bcrypt is one of ${Object.keys(BCRYPT_ENV).join(', ')}`);
}
const pairCount = Number(values.pairs);

buildIfStale();
const server = await startOwnServer({
  env: { LOG_REQUESTS: 'none', DOCS: 'off', LOG_LEVEL: 'info', ...BCRYPT_ENV[values.bcrypt] },
});
if (!server.readLog().includes(`passwords are hashed by ${values.bcrypt}`)) {
  await server.stop();
  throw new Error(`the server does not use ${values.bcrypt}`);
}
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
/** Each element: milliseconds of the one and of the other. */
const pairs = [];
const answers = new Set();
try {
  for (let number = 0; number < ACCOUNTS; number += 1) {
    const { status } = await post('/auth/signup/basic', {
      email: addressOf('person', number),
      password: CREDENTIALS.password,
      name: 'Somebody',
    });
    if (status !== 200) throw new Error(`sign-up answered ${status}`);
  }
  for (let index = -WARM_UP_PAIRS; index < pairCount; index += 1) {
    const pair = await measurePair();
    if (index >= 0) pairs.push(pair);
    if (index > 0 && index % 250 === 0) console.error(`${index} of ${pairCount} pairs`);
  }
} finally {
  agent.destroy();
  await server.stop();
}
console.log(report());

async function measurePair() {
  const number = randomInt(ACCOUNTS);
  const pair = { known: 0, unknown: 0 };
  const order = randomInt(2) === 0 ? ['known', 'unknown'] : ['unknown', 'known'];
  for (const kind of order) {
    // As long as the other's, so that only the look-up differs.
    const email = addressOf(kind === 'known' ? 'person' : 'nobody', number);
    const startedAt = performance.now();
    const { status, text } = await post('/auth/signin/basic', { email, password: 'a wrong one' });
    pair[kind] = performance.now() - startedAt;
    answers.add(`${status} ${text}`);
  }
  return pair;
}

function addressOf(name, number) {
  return `${name}-${String(number).padStart(4, '0')}@example.org`;
}

function report() {
  const known = median(pairs.map((pair) => pair.known));
  const unknown = median(pairs.map((pair) => pair.unknown));
  const difference = known - unknown;
  const [low, high] = interval();
  const isReached = Math.abs(difference) <= BAR_MS && answers.size === 1;
  process.exitCode = isReached ? 0 : 1;
  return [
    table([
      ['refused sign-in', 'count', 'p50 ms', 'p95 ms'],
      ...['known', 'unknown'].map((kind) => {
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
function interval() {
  const differences = Array.from({ length: RESAMPLES }, () => {
    const sample = Array.from({ length: pairs.length }, () => pairs[randomInt(pairs.length)]);
    return median(sample.map((pair) => pair.known)) - median(sample.map((pair) => pair.unknown));
  });
  return [quantile(differences, 0.025), quantile(differences, 0.975)];
}

function median(numbers) {
  return quantile(numbers, 0.5);
}

function quantile(numbers, share) {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function post(path, body) {
  return new Promise((resolve, reject) => {
    const payload = JSON.stringify(body);
    const outgoing = request(
      `${server.url}${path}`,
      {
        agent,
        method: 'POST',
        headers: {
          'x-api-key': CREDENTIALS.apiKey,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
