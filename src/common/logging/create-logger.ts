import { pino } from 'pino';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../../config/env.js';
import { loggerOptions } from './logger-options.js';

export interface LogStream {
  write(line: string): void;
}

/**
 * Characters that may wait for whoever reads the output; what comes beyond is lost. A reader that
 * stalls would else hold up every answer, or fill the memory.
 */
const MAX_WAITING = 16 * 1_048_576;

/**
 * The log of a process: JSON lines, readable ones in development.
 *
 * @param stream receives JSON lines instead of the standard output
 */
export function createLogger(env: Env, stream?: LogStream): FastifyBaseLogger {
  const { transport, ...options } = loggerOptions(env);
  if (stream) return pino(options, stream);
  if (transport) return pino({ ...options, transport });
  return pino(options, pino.destination({ sync: false, maxLength: MAX_WAITING }));
}
