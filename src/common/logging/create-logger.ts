import { pino } from 'pino';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../../config/env.js';
import { loggerOptions } from './logger-options.js';

export interface LogStream {
  write(line: string): void;
}

/**
 * The log of a process: JSON lines, readable ones in development.
 *
 * @param stream receives JSON lines instead of the standard output
 */
export function createLogger(env: Env, stream?: LogStream): FastifyBaseLogger {
  const { transport, ...options } = loggerOptions(env);
  if (stream) return pino(options, stream);
  return pino(transport ? { ...options, transport } : options);
}
