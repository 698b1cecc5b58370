import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** Random part of the ids of this process, so that ids differ between processes and restarts. */
const PROCESS = randomBytes(9).toString('base64url');
/** Number of base-36 digits of the counter. They are enough for 78 billion requests; later ids are longer. */
const COUNT_LENGTH = 7;
let count = 0;

/**
 * Returns the client's `x-request-id` if it is safe to log, else a new id. A random part per process and
 * a counter are enough, because ids need not be secret.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
  count += 1;
  return `${PROCESS}-${count.toString(36).padStart(COUNT_LENGTH, '0')}`;
}
