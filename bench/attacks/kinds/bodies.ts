/** Ten senders of the most costly bodies, without a key and with what anybody may have. */
import type { Run } from '../../load/client-process.ts';
import { cycled } from '../../support/statistics.ts';
import type { Attack } from '../attacks.ts';
import { readerP99, readsFailed } from '../bars.ts';
import type { AttackReport } from '../figures.ts';
import { KEY_HEADER, sendUntil } from './senders.ts';

const SENDERS = 10;
const MIB = 1_024 ** 2;
const SMALL = 16 * 1_024;
const MEMBERS_ALLOWED = 900;

interface Job {
  /** Whether they have a key, and an account without any right. */
  readonly isHolder: boolean;
  readonly token: string;
}

const attackOf = (name: string, isHolder: boolean): Attack => ({
  name,
  module: import.meta.url,
  rounds: { full: 5, short: 2 },
  seconds: { full: 4, short: 2 },
  job: ({ learner }): Job => ({ isHolder, token: learner.token }),
  bars: () => [readerP99, readsFailed],
});

export const ATTACKS = [attackOf('bodies-no-key', false), attackOf('bodies-key', true)];

export function client({ url, isHolder, token }: Job & { url: string }): Run<AttackReport> {
  const requests = isHolder ? requestsOfHolder(token) : [contact(manyKeys(MIB), {})];
  const requestOf = (_: number, turn: number) => cycled(requests, turn);
  return (_, over) => sendUntil({ url, clients: SENDERS, requestOf }, over);
}

/** The key is public, and anybody may open an account without any right. */
function requestsOfHolder(token: string) {
  const depth = SMALL / 2 - 4;
  return [
    contact(allowedContact()),
    contact(manyKeys(SMALL)),
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

/** A message that is accepted, with as many more members as a body may have. */
function allowedContact(): string {
  const more = Array.from({ length: MEMBERS_ALLOWED }, (_, at): [string, number] => [`k${at}`, 0]);
  const body = { type: 'feedback', ...Object.fromEntries(more), msg: '' };
  const rest = Math.min(2_000, SMALL - JSON.stringify(body).length);
  return JSON.stringify({ ...body, msg: 'm'.repeat(rest) });
}

/** An object of so many bytes at most, of members as short as they can be. */
function manyKeys(bytes: number): string {
  const members: string[] = [];
  for (let at = 0, size = 1; ; at += 1) {
    const member = `"${at.toString(36)}":0`;
    size += member.length + 1;
    if (size > bytes) return `{${members.join(',')}}`;
    members.push(member);
  }
}
