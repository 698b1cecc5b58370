import createFastify from 'fastify';
import type { Env } from '../../config/env.js';
import { loggerOptions } from './logger-options.js';
import { NestLogger } from './nest-logger.js';

/** The log of the server, for a process of it that serves no requests. */
export function createLogger(env: Env): NestLogger {
  return new NestLogger(createFastify({ logger: loggerOptions(env) }).log);
}
