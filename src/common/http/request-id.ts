import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,64}$/;

/** Random per process, so that ids differ between processes and restarts. */
const PROCESS = randomBytes(9).toString('base64url');
/** Digits in base 36, which last for 78 billion requests; ids are longer after that. */
const COUNT_LENGTH = 7;
let count = 0;

/**
 * The client's `x-request-id` if it is safe to log, else a new id. An id is unique but no secret, so
 * it ends in a counter.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
  count += 1;
  return `${PROCESS}-${count.toString(36).padStart(COUNT_LENGTH, '0')}`;
}
