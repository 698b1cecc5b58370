import type { FastifyServerOptions } from 'fastify';
import mongoose from 'mongoose';
import type { Env } from '../../config/env.js';
import { workerCount } from '../../config/worker-count.js';

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

function withoutValues(error: Error): string {
  if (error instanceof mongoose.Error.ValidationError) {
    return `validation failed at ${Object.keys(error.errors).join(', ')}`;
  }
  if (error instanceof mongoose.Error.CastError) {
    return `cast to ${error.kind} failed at ${error.path}`;
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

/** JSON lines in production, readable lines elsewhere. */
export function loggerOptions(env: Env, stream?: LogStream): LoggerOptions {
  return {
    level: env.LOG_LEVEL,
    serializers: { err: serializeError },
    hooks: { logMethod: withOwnMessage },
    ...(stream ? { stream } : {}),
    ...(env.NODE_ENV === 'development' && !stream
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
