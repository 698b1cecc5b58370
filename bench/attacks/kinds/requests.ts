/** Attacks by clients that each send an expensive request as soon as the one before is answered. */
import type { Run } from '../../load/client-process.ts';
import type { Request } from '../../load/connections.ts';
import { cycled } from '../../support/statistics.ts';
import type { Attack } from '../attack.ts';
import type { Content } from '../content.ts';
import type { AttackReport } from '../figures.ts';
import { readerP99, readsFailed } from '../thresholds.ts';
import { KEY_HEADER, sendUntil, type Senders } from './senders.ts';

const MIB = 1_024 ** 2;
const SMALL_BODY = 16 * 1_024;
const MEMBERS_ALLOWED = 900;

interface Job extends Pick<Content, 'ids' | 'learner'> {
  readonly kind: Kind;
}

type Kind = keyof typeof KINDS;

/** The requests of the clients of each attack. A key is public, and anybody may have an account without any right. */
const KINDS = {
  'bodies-no-key': () => inTurn(10, [contact(manyKeys(MIB), {})]),
  'bodies-key': ({ learner }: Job) => inTurn(10, bodiesWithKey(learner.token)),
  // An unknown query parameter, with a new value each time, bypasses the response cache.
  similar: ({ ids }: Job) =>
    senders(50, (client, turn) => ({
      path: `/blogs/similar/id/${cycled(ids, client * 31 + turn)}?z=${process.pid}-${client}-${turn}`,
      headers: KEY_HEADER,
    })),
  health: () => inTurn(50, [{ path: '/health' }]),
} satisfies Record<string, (job: Job) => Omit<Senders, 'url'>>;

const attackOf = (kind: Kind): Attack => ({
  name: kind,
  module: import.meta.url,
  rounds: { full: 5, short: 2 },
  seconds: { full: 4, short: 2 },
  job: ({ ids, learner }): Job => ({ kind, ids, learner }),
  thresholds: () => [readerP99, readsFailed],
});

export const ATTACKS: readonly Attack[] = [
  attackOf('bodies-no-key'),
  attackOf('bodies-key'),
  attackOf('similar'),
  attackOf('health'),
];

/** Called by load/child.ts, which imports this module by its URL. @public */
export function client({ url, ...job }: Job & { url: string }): Run<AttackReport> {
  const sendersOfKind = KINDS[job.kind](job);
  return (_, over) => sendUntil({ url, ...sendersOfKind }, over);
}

function senders(clients: number, requestOf: Senders['requestOf']): Omit<Senders, 'url'> {
  return { clients, requestOf };
}

function inTurn(clients: number, requests: readonly Request[]): Omit<Senders, 'url'> {
  return senders(clients, (_, turn) => cycled(requests, turn));
}

/** The most expensive bodies that the server reads and parses. */
function bodiesWithKey(token: string): readonly Request[] {
  const depth = SMALL_BODY / 2 - 4;
  return [
    contact(allowedContact()),
    contact(manyKeys(SMALL_BODY)),
    contact(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    {
      ...contact(manyKeys(MIB), { ...KEY_HEADER, authorization: `Bearer ${token}` }),
      path: '/blog/author',
    },
  ];
}

function contact(body: string, headers: Record<string, string> = KEY_HEADER) {
  return { method: 'POST', path: '/contact', headers, body: Buffer.from(body) };
}

/** A valid message with nearly as many unknown members as a body may have. */
function allowedContact(): string {
  const more = Array.from({ length: MEMBERS_ALLOWED }, (_, at): [string, number] => [`k${at}`, 0]);
  const body = { type: 'feedback', ...Object.fromEntries(more), msg: '' };
  const msgLength = Math.min(2_000, SMALL_BODY - JSON.stringify(body).length);
  return JSON.stringify({ ...body, msg: 'm'.repeat(msgLength) });
}

/** An object of at most this many bytes, with members as short as they can be. */
function manyKeys(bytes: number): string {
  const members: string[] = [];
  for (let at = 0, size = 1; ; at += 1) {
    const member = `"${at.toString(36)}":0`;
    size += member.length + 1;
    if (size > bytes) return `{${members.join(',')}}`;
    members.push(member);
  }
}
