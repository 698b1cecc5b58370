/** The database does not answer for some seconds, while people read, edit and sign in. */
import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS, signalIfThere } from '../../../scripts/support/own-server.ts';
import { atEnd } from '../../performance/clean-up.mjs';
import { longestAnswer, worksAgain } from '../bars.mjs';
import { sendUntil } from '../senders.mjs';

const CLIENTS_OF_EACH = 4;
const PAUSE_MS = 50;
const BEFORE_MS = 500;
const HANG_MS = 8_000;
const PATIENCE_MS = 30_000;

export const ATTACKS = [
  {
    name: 'hang',
    module: import.meta.url,
    rounds: { full: 1, short: 1 },
    seconds: { full: 12, short: 10 },
    // They are no attackers: how long they wait is what is measured.
    job: ({ article, drafts, author, people }) => ({
      ...{ article, drafts, author, people },
      deference: 0,
    }),
    meanwhile: hang,
    // Three times six seconds would be longer than the database hangs.
    bars: () => [longestAnswer(6, { short: 7 }), worksAgain(10)],
  },
];

const apiKey = { 'x-api-key': CREDENTIALS.apiKey };

/** What a client of each kind asks for; `turn` makes sure that no answer comes from memory. */
const KINDS = {
  'cached read': ({ article }) => ({ path: article, headers: apiKey }),
  read: ({ article }, client, turn) => ({
    path: `${article}?z=${client}-${turn}`,
    headers: apiKey,
  }),
  list: (_, client, turn) => ({ path: `/blogs/latest?z=${client}-${turn}`, headers: apiKey }),
  edit: ({ drafts, author }, client, turn) => ({
    method: 'PUT',
    path: `/blog/author/id/${drafts[client % drafts.length]}`,
    headers: { ...apiKey, authorization: `Bearer ${author.token}` },
    body: JSON.stringify({ title: `A title of turn ${turn}` }),
  }),
  'sign-in': ({ people }, client) => signInOf(people[client % people.length]),
};

export function attack({ url, ...job }, over) {
  const names = Object.keys(KINDS);
  const kindOf = (client) => names[client % names.length];
  const requestOf = (client, turn) =>
    KINDS[kindOf(client)](job, Math.floor(client / names.length), turn);
  const clients = names.length * CLIENTS_OF_EACH;
  return sendUntil({ url, clients, requestOf, kindOf, pauseMs: PAUSE_MS }, over);
}

/** @returns after how many seconds all of it works again */
async function hang(server, world) {
  await wait(BEFORE_MS);
  const { pid } = server.mongod();
  const goOn = () => signalIfThere(pid, 'SIGCONT');
  // Stopped, it could not be ended either.
  const forget = atEnd(goOn);
  signalIfThere(pid, 'SIGSTOP');
  await wait(HANG_MS);
  goOn();
  forget();
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  while (seconds() * 1_000 < PATIENCE_MS) {
    if (await doesAllWork(server, world)) return { recoverySeconds: seconds() };
    await wait(100);
  }
  return { recoverySeconds: Infinity };
}

/** By somebody whose sign-ins nobody has counted meanwhile. */
async function doesAllWork({ url }, { learner, ...job }) {
  const requests = Object.values(KINDS).map((requestOf) => requestOf(job, 0, 'again'));
  for (const { path, ...request } of [...requests, signInOf(learner)]) {
    const headers = { 'content-type': 'application/json', ...request.headers };
    const answer = await fetch(`${url}${path}`, { ...request, headers }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status !== 200) return false;
  }
  return true;
}

function signInOf({ email, password }) {
  return {
    method: 'POST',
    path: '/auth/signin/basic',
    headers: apiKey,
    body: JSON.stringify({ email, password }),
  };
}
