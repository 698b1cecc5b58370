import type { Error as MongooseError } from 'mongoose';
import type { LoggerOptions } from 'pino';
import type { Env } from '../config/env.js';
import { workerCount } from '../config/worker-count.js';
import { jsonEscapes } from '../text/json-escapes.js';

interface LoggedError {
  [field: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

/**
 * Keeps type, code, message and stack only, and removes values from the message: errors of the driver
 * and of Mongoose contain the data of the write, such as an email address or the body of a request.
 */
function serializeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error', stack: '' };
  const message = escapeControls(withoutValues(error));
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message,
    stack: (error.stack ?? '').replace(error.message, () => message),
  };
}

/**
 * Returns the message without the values in it. Recognizes Mongoose's errors by name, so that a process
 * without Mongoose need not load it.
 */
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

/** Control characters, and the line and paragraph separators, which break lines in some viewers. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Escapes control characters, because a line break could forge a log line (CWE-117). */
function escapeControls(text: string): string {
  return text.replace(CONTROL, jsonEscapes);
}

/**
 * Calls pino's log method with escaped messages. If there is an error but no message, the message is `error`:
 * pino would repeat the message of the error, which may contain values.
 */
function logSafely(this: unknown, args: unknown[], method: (...args: never[]) => void): void {
  const [first, message] = args;
  const isErrorAlone =
    message === undefined &&
    typeof first === 'object' &&
    first !== null &&
    (first instanceof Error || 'err' in first);
  const safe = args.map((arg) => (typeof arg === 'string' ? escapeControls(arg) : arg));
  method.apply(this, (isErrorAlone ? [first, 'error'] : safe) as never[]);
}

/** Omits the request and response that Fastify logs with an error. They contain keys and tokens. */
function omit(): undefined {
  return undefined;
}

/** Options for JSON lines, and for readable text in development. */
export function loggerOptions(env: Env): LoggerOptions {
  return {
    level: env.LOG_LEVEL,
    serializers: { err: serializeError, req: omit, res: omit },
    hooks: { logMethod: logSafely },
    ...(env.NODE_ENV === 'development'
      ? {
          transport: {
            target: 'pino-pretty',
            options: {
              // With several processes, each line shows the pid of the process that wrote it.
              ignore: workerCount(env) > 1 ? 'hostname' : 'pid,hostname',
              translateTime: 'HH:MM:ss',
              singleLine: true,
            },
          },
        }
      : {}),
  };
}
