import { randomInt } from 'node:crypto';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { CREDENTIALS, startOwnServer } from '../scripts/support/own-server.ts';
import { Connections, signInRequest } from './load/connections.ts';
import { atMost, report, type Finding } from './support/findings.ts';
import { signUp } from './support/newsroom.ts';
import { atEnd, runProgram, valuesOf } from './support/program.ts';
import { median, quantile } from './support/statistics.ts';

const USAGE = `npm run bench:signin-timing -- [--pairs N]

Does the time of a refused sign-in tell whether the account exists? Starts a Pressroom of its own and
sends pairs of refused sign-ins, for an account that exists and for one that does not, in random order.
Exits with 1 when the medians differ by more than a millisecond.

  --pairs N  default 2000`;

const ACCOUNTS = 50;
const DIFFERENCE_MAX_MS = 1;
const WARM_UP_PAIRS = 20;

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
  const times = { person: [] as number[], nobody: [] as number[] };
  const answers = new Set<string>();
  for (let index = -WARM_UP_PAIRS; index < Number(pairs); index += 1) {
    const number = randomInt(ACCOUNTS);
    const order = ['person', 'nobody'] as const;
    for (const kind of randomInt(2) === 0 ? order : order.toReversed()) {
      const guess = { email: addressOf(kind, number), password: 'a wrong one' };
      const startedAt = performance.now();
      const { status, body } = await connection.send(signInRequest(guess, headers));
      if (index >= 0) times[kind].push(performance.now() - startedAt);
      answers.add(`${status} ${body}`);
    }
    if (index > 0 && index % 250 === 0) console.error(`${index} of ${pairs} pairs`);
  }
  const difference = Math.abs(median(times.person) - median(times.nobody));
  const findings: Finding[] = [
    rowOf('sign-in for an account', times.person),
    rowOf('sign-in without an account', times.nobody),
    atMost('difference of the medians', difference, DIFFERENCE_MAX_MS, ' ms'),
    { ...atMost('different answers', answers.size, 1), history: [...answers] },
  ];
  report(findings);
});

/** The addresses of both kinds have the same length, so that requests differ only in whether the account exists. */
function addressOf(name: 'person' | 'nobody', number: number): string {
  return `${name}-${String(number).padStart(4, '0')}@example.org`;
}

function rowOf(what: string, times: readonly number[]): Finding {
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(times, share).toFixed(3));
  return { what: `refused ${what}`, measured: `p50 ${p50} ms, p95 ${p95} ms` };
}
