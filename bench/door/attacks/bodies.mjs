/** Ten senders of the dearest bodies, without a key and with what anybody may have. */
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { readerP99, readsFailed } from '../bars.mjs';
import { sendUntil } from '../senders.mjs';

const SENDERS = 10;
const MIB = 1_024 ** 2;
const SMALL = 16 * 1_024;
const MEMBERS_ALLOWED = 900;

const attackOf = (name, isHolder) => ({
  name,
  module: import.meta.url,
  rounds: { full: 5, short: 2 },
  seconds: { full: 4, short: 2 },
  job: ({ learner }) => ({ isHolder, token: learner.token }),
  bars: () => [readerP99, readsFailed],
});

export const ATTACKS = [attackOf('bodies-no-key', false), attackOf('bodies-key', true)];

export function attack({ url, isHolder, token }, over) {
  const requests = isHolder
    ? requestsOfHolder(token)
    : [{ method: 'POST', path: '/contact', body: Buffer.from(manyKeys(MIB)) }];
  const requestOf = (_, turn) => requests[turn % requests.length];
  return sendUntil({ url, clients: SENDERS, requestOf }, over);
}

/** The key is public, and an account without any right is there for the asking. */
function requestsOfHolder(token) {
  const headers = { 'x-api-key': CREDENTIALS.apiKey };
  const contact = (body) => ({
    method: 'POST',
    path: '/contact',
    headers,
    body: Buffer.from(body),
  });
  const depth = SMALL / 2 - 4;
  return [
    contact(allowedContact()),
    contact(manyKeys(SMALL)),
    contact(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    {
      method: 'POST',
      path: '/blog/author',
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: Buffer.from(manyKeys(MIB)),
    },
  ];
}

/** A message that is accepted, with as many more members as a body may have. */
function allowedContact() {
  const more = Array.from({ length: MEMBERS_ALLOWED }, (_, at) => [`k${at}`, 0]);
  const body = { type: 'feedback', ...Object.fromEntries(more), msg: '' };
  const rest = Math.min(2_000, SMALL - JSON.stringify(body).length);
  return JSON.stringify({ ...body, msg: 'm'.repeat(rest) });
}

/** An object of so many bytes at most, of members as short as they can be. */
function manyKeys(bytes) {
  const members = [];
  for (let at = 0, size = 1; ; at += 1) {
    const member = `"${at.toString(36)}":0`;
    size += member.length + 1;
    if (size > bytes) return `{${members.join(',')}}`;
    members.push(member);
  }
}
