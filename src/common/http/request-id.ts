import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** Tells the ids of this process from those of others, and of its earlier lives. */
const PROCESS = randomBytes(9).toString('base64url');
/** Enough for 78,000 million; one more digit then. */
const COUNT_LENGTH = 7;
let count = 0;

/**
 * The caller's `x-request-id` when it is harmless in a log, else a new one: it names a request among
 * all others and is no secret, so a count will do.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
  count += 1;
  return `${PROCESS}-${count.toString(36).padStart(COUNT_LENGTH, '0')}`;
}
