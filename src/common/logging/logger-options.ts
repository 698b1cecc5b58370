import type { Error as MongooseError } from 'mongoose';
import type { LoggerOptions } from 'pino';
import type { Env } from '../../config/env.js';
import { workerCount } from '../../config/worker-count.js';

interface LoggedError {
  [field: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

/**
 * Named fields only, and no message that repeats a value: errors of the driver and of Mongoose carry
 * what was to be written, which may be someone's address or the body of a request.
 */
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error', stack: '' };
  const message = visible(withoutValues(error));
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message,
    stack: (error.stack ?? '').replace(error.message, () => message),
  };
}

/** By name: a process that has no use for Mongoose must not load it to tell its errors. */
function withoutValues(error: Error): string {
  if (error.name === 'ValidationError' && 'errors' in error) {
    const { errors } = error as MongooseError.ValidationError;
    return `validation failed at ${Object.keys(errors).join(', ')}`;
  }
  if (error.name === 'CastError' && 'kind' in error) {
    const { kind, path } = error as MongooseError.CastError;
    return `cast to ${kind} failed at ${path}`;
  }
  return error.message.replace(/ dup key: .*/s, '');
}

/** C0, DEL and C1, and the two separators that some viewers break a line at. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Readable lines are not JSON: there a line break would forge a line and ESC steer the terminal. */
function visible(text: string): string {
  return text.replace(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Messages are written so that they stay on their line. One that has only an error would get the
 * error's own message from pino, values and all.
 */
function withOwnMessage(this: unknown, args: unknown[], method: (...args: never[]) => void): void {
  const [first, message] = args;
  const isErrorAlone =
    message === undefined &&
    typeof first === 'object' &&
    first !== null &&
    (first instanceof Error || 'err' in first);
  const safe = args.map((arg) => (typeof arg === 'string' ? visible(arg) : arg));
  method.apply(this, (isErrorAlone ? [first, 'error'] : safe) as never[]);
}

/** Fastify adds them to what it says of an error; they hold keys, tokens and addresses. */
function omit(): undefined {
  return undefined;
}

/** JSON lines, readable ones in development. */
export function loggerOptions(env: Env): LoggerOptions {
  return {
    level: env.LOG_LEVEL,
    serializers: { err: serializeError, req: omit, res: omit },
    hooks: { logMethod: withOwnMessage },
    ...(env.NODE_ENV === 'development'
      ? {
          transport: {
            target: 'pino-pretty',
            options: {
              // Of several processes a line says which one wrote it.
              ignore: workerCount(env) > 1 ? 'hostname' : 'pid,hostname',
              translateTime: 'HH:MM:ss',
              singleLine: true,
            },
          },
        }
      : {}),
  };
}
