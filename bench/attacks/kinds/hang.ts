/** The database does not answer for some seconds, while people read, edit and sign in. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '../../load/client-process.ts';
import { Connections, signInRequest, type Request } from '../../load/connections.ts';
import { cycled } from '../../support/statistics.ts';
import { isInTime } from '../../support/timing.ts';
import type { Attack, Target } from '../attack.ts';
import type { Content } from '../content.ts';
import type { AttackReport } from '../figures.ts';
import { longestAnswer, worksAgain } from '../thresholds.ts';
import { DEADLINE_MS, KEY_HEADER, sendUntil } from './senders.ts';

const CLIENTS_OF_EACH = 4;
const PAUSE_MS = 50;
const BEFORE_MS = 500;
const HANG_MS = 8_000;
const PATIENCE_MS = 30_000;

type Job = Pick<Content, 'article' | 'drafts' | 'author' | 'people'>;

export const ATTACKS: Attack[] = [
  {
    name: 'hang',
    module: import.meta.url,
    // They are no attackers: how long they wait is what is measured.
    priority: 0,
    rounds: { full: 1, short: 1 },
    seconds: { full: 12, short: 10 },
    job: ({ article, drafts, author, people }): Job => ({ article, drafts, author, people }),
    meanwhile: hang,
    // Three times six seconds would be longer than the database hangs.
    thresholds: () => [longestAnswer(6, 7), worksAgain(10)],
  },
];

/** What a client of each kind asks for; with `turn` in its address no answer comes from the cache. */
const KINDS: Record<string, (job: Job, client: number, turn: number | string) => Request> = {
  'cached read': ({ article }) => ({ path: article, headers: KEY_HEADER }),
  read: ({ article }, client, turn) => ({
    path: `${article}?z=${client}-${turn}`,
    headers: KEY_HEADER,
  }),
  list: (_, client, turn) => ({ path: `/blogs/latest?z=${client}-${turn}`, headers: KEY_HEADER }),
  edit: ({ drafts, author }, client, turn) => ({
    method: 'PUT',
    path: `/blog/author/id/${cycled(drafts, client)}`,
    headers: { ...KEY_HEADER, authorization: `Bearer ${author.token}` },
    body: JSON.stringify({ title: `A title of turn ${turn}` }),
  }),
  'sign-in': ({ people }, client) => signInRequest(cycled(people, client), KEY_HEADER),
};

export function client({ url, ...job }: Job & { url: string }): Run<AttackReport> {
  const kinds = Object.entries(KINDS);
  const kindOf = (number: number) => cycled(kinds, number)[0];
  const requestOf = (number: number, turn: number) =>
    cycled(kinds, number)[1](job, Math.floor(number / kinds.length), turn);
  const clients = kinds.length * CLIENTS_OF_EACH;
  return (_, over) => sendUntil({ url, clients, requestOf, kindOf, pauseMs: PAUSE_MS }, over);
}

/** @returns after how many seconds all of it works again */
async function hang({ server, content }: Target): Promise<number> {
  await wait(BEFORE_MS);
  const goOn = server.hang('database');
  await wait(HANG_MS);
  goOn();
  const startedAt = performance.now();
  const works = () => doesAllWork(server.url, content);
  const isWell = await isInTime(works, { withinMs: PATIENCE_MS, everyMs: 100 });
  return isWell ? (performance.now() - startedAt) / 1_000 : Infinity;
}

/** Asks as somebody whose sign-ins nobody has counted meanwhile. */
async function doesAllWork(url: string, { learner, ...job }: Content): Promise<boolean> {
  const connections = new Connections(url, 1, DEADLINE_MS);
  const requests = Object.values(KINDS).map((requestOf) => requestOf(job, 0, 'again'));
  try {
    for (const request of [...requests, signInRequest(learner, KEY_HEADER)]) {
      const answer = await connections.send(request).catch(() => null);
      if (answer?.status !== 200) return false;
    }
    return true;
  } finally {
    connections.close();
  }
}
