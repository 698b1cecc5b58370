import { randomInt } from 'node:crypto';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { CREDENTIALS, startOwnServer } from '../scripts/support/own-server.ts';
import { Connections, signInRequest } from './load/connections.ts';
import { atMost, report, type Finding } from './support/findings.ts';
import { signUp } from './support/newsroom.ts';
import { atEnd, runProgram, valuesOf } from './support/program.ts';
import { median, quantile } from './support/statistics.ts';

const USAGE = `npm run bench:signin-timing -- [--pairs N]

Does the time of a refused sign-in, or of a request for a new password, tell whether the account exists?
Starts a Pressroom of its own and sends pairs of each, for an account that exists and for one that does not,
in random order. Exits with 1 when the medians differ by more than a millisecond.

  --pairs N  default 2000`;

const ACCOUNTS = 50;
const DIFFERENCE_MAX_MS = 1;
const WARM_UP_PAIRS = 20;

type Headers = Parameters<typeof signInRequest>[1];

/** The requests that must not tell whether an account exists, by what they are. */
const REQUESTS = {
  'refused sign-in': (email: string, headers: Headers) =>
    signInRequest({ email, password: 'a wrong one' }, headers),
  'request for a new password': (email: string, headers: Headers) => ({
    method: 'POST',
    path: '/auth/password/forgot',
    headers,
    body: JSON.stringify({ email }),
  }),
};

await runProgram(USAGE, async (args) => {
  const { pairs } = valuesOf(args, USAGE, { pairs: { type: 'string', default: '2000' } });
  buildIfStale();
  const server = await startOwnServer({ env: { LOG_REQUESTS: 'none', DOCS: 'off' } });
  atEnd(() => server.stop());
  for (let number = 0; number < ACCOUNTS; number += 1) {
    await signUp(server.call, addressOf('person', number));
  }
  const connection = new Connections(server.url, 1);
  atEnd(() => connection.close());
  const headers = { 'x-api-key': CREDENTIALS.apiKey };
  const findings: Finding[] = [];
  for (const [what, requestOf] of Object.entries(REQUESTS)) {
    const send = (email: string) => connection.send(requestOf(email, headers));
    findings.push(...(await compare(what, send, Number(pairs))));
  }
  report(findings);
});

async function compare(
  what: string,
  send: (email: string) => Promise<{ readonly status: number; readonly body: unknown }>,
  pairs: number,
): Promise<Finding[]> {
  const times = { person: [] as number[], nobody: [] as number[] };
  const answers = new Set<string>();
  for (let index = -WARM_UP_PAIRS; index < pairs; index += 1) {
    const number = randomInt(ACCOUNTS);
    const order = ['person', 'nobody'] as const;
    for (const kind of randomInt(2) === 0 ? order : order.toReversed()) {
      const startedAt = performance.now();
      const { status, body } = await send(addressOf(kind, number));
      if (index >= 0) times[kind].push(performance.now() - startedAt);
      answers.add(`${status} ${String(body)}`);
    }
    if (index > 0 && index % 250 === 0) console.error(`${what}: ${index} of ${pairs} pairs`);
  }
  const difference = Math.abs(median(times.person) - median(times.nobody));
  return [
    rowOf(`${what} for an account`, times.person),
    rowOf(`${what} without an account`, times.nobody),
    atMost(`${what}: difference of the medians`, difference, DIFFERENCE_MAX_MS, ' ms'),
    { ...atMost(`${what}: different answers`, answers.size, 1), history: [...answers] },
  ];
}

/** The addresses of both kinds have the same length, so that requests differ only in whether the account exists. */
function addressOf(name: 'person' | 'nobody', number: number): string {
  return `${name}-${String(number).padStart(4, '0')}@example.org`;
}

function rowOf(what: string, times: readonly number[]): Finding {
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(3));
  return { what, measured: `p50 ${p50} ms, p95 ${p95} ms` };
}
