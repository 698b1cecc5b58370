import type { FastifyServerOptions } from 'fastify';
import type { Env } from '../../config/env.js';

type LoggerOptions = NonNullable<FastifyServerOptions['logger']>;

export interface LogStream {
  write(line: string): void;
}

interface LoggedError {
  [field: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

/**
 * Named fields only: errors of the driver carry the values of the write that failed, which may be
 * someone's address or the body of a request.
 */
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error', stack: '' };
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message: error.message,
    stack: error.stack ?? '',
  };
}

/** JSON lines in production, readable lines elsewhere. */
export function loggerOptions(env: Env, stream?: LogStream): LoggerOptions {
  return {
    level: env.LOG_LEVEL,
    serializers: { err: serializeError },
    ...(stream ? { stream } : {}),
    ...(env.NODE_ENV === 'development' && !stream
      ? {
          transport: {
            target: 'pino-pretty',
            options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss', singleLine: true },
          },
        }
      : {}),
  };
}
