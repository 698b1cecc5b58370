/** Many who sign in at once; started by sign-in-storm.mjs. */
import { setTimeout as wait } from 'node:timers/promises';
import { Connections, Problems } from './agent.mjs';
import { receiveJob, untilBegin } from './job.mjs';

/** Of each connection. */
const WARM_UP_READS = 10;

const job = await receiveJob();
const connections = new Connections(job.url, job.inFlight);
const problems = new Problems();
const latencies = [];
let refused = 0;
let next = 0;
await warmUp();
await untilBegin();
const startedAt = performance.now();
const deadline = startedAt + job.seconds * 1_000;
await Promise.all(Array.from({ length: job.inFlight }, signInAgainAndAgain));
process.send({ latencies, refused, problems: { ...problems } });

/** Reads over each connection, so that what counts does not begin with what a client compiles. */
async function warmUp() {
  const { path, headers } = job.read;
  for (let turn = 0; turn < WARM_UP_READS; turn += 1) {
    await Promise.all(
      Array.from({ length: job.inFlight }, () => connections.send({ path, headers })),
    );
  }
}

async function signInAgainAndAgain() {
  while (performance.now() < deadline && problems.count === 0) {
    const account = job.accounts[next % job.accounts.length];
    next += 1;
    const isRefused = await signIn(account).catch((error) => problems.add(error.message));
    if (isRefused && job.waitsWhenRefused) await wait(job.retryAfterMs);
  }
}

/** @returns whether the server was too busy */
async function signIn({ email, password }) {
  const sentAt = performance.now();
  const { status, body } = await connections.send({
    method: 'POST',
    path: '/auth/signin/basic',
    headers: job.headers,
    body: JSON.stringify({ email, password }),
  });
  const endedAt = performance.now();
  const { code, data } = JSON.parse(body);
  if (status === 200 && data.user.email === email && data.tokens.accessToken.length > 0) {
    // What ends later would count for a time that is not measured.
    if (endedAt <= deadline) latencies.push(endedAt - sentAt);
    return false;
  }
  if (status !== 503 || code !== '10002') problems.add(`${email}: ${status} ${body}`);
  refused += 1;
  return true;
}
