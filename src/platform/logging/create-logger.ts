import { pino, type DestinationStream } from 'pino';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../config/env.js';
import { loggerOptions } from './logger-options.js';

/**
 * Maximum number of characters that are buffered while the program that reads the log stalls. Further lines
 * are lost, so that a stalled program neither blocks responses nor makes Pressroom exhaust the memory.
 */
const MAX_BUFFERED = 16 * 1_048_576;

/**
 * The logger of a process. It writes JSON lines, and readable text in development.
 *
 * @param stream receives JSON lines instead of the standard output
 */
export function createLogger(env: Env, stream?: DestinationStream): FastifyBaseLogger {
  const { transport, ...options } = loggerOptions(env);
  if (stream) return pino(options, stream);
  if (transport) return pino({ ...options, transport });
  return pino(options, pino.destination({ sync: false, maxLength: MAX_BUFFERED }));
}
