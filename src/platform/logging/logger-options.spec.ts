import { describe, expect, it } from '@jest/globals';
import type { FastifyBaseLogger } from 'fastify';
import mongoose from 'mongoose';
import { prettyFactory, type PrettyOptions } from 'pino-pretty';
import { validateEnv } from '../config/env.js';
import { createLogger } from './create-logger.js';
import { loggerOptions } from './logger-options.js';

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: unknown;
}

/** The line that is logged for an error, as text and parsed. */
function logged(err: unknown): { line: string; err: LoggedError } {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) };
  createLogger(validateEnv({ NODE_ENV: 'test' }), stream).error({ err });
  const [line = ''] = lines;
  return { line, err: (JSON.parse(line) as { err: LoggedError }).err };
}

describe('loggerOptions', () => {
  it('should write JSON except in development', () => {
    const transportIn = (NODE_ENV: string): unknown => {
      const production = { MONGODB_URI: 'mongodb://a/b', JWT_PRIVATE_KEYS_FILE: '/a' };
      const options = loggerOptions(validateEnv({ NODE_ENV, ...production }));
      return (options as { transport?: unknown }).transport;
    };
    expect(transportIn('production')).toBeUndefined();
    expect(transportIn('test')).toBeUndefined();
    expect(transportIn('development')).toMatchObject({ target: 'pino-pretty' });
  });

  it('should show the pid in development when there are several processes', () => {
    const readable = (WORKERS: string): string | undefined => {
      const { transport } = loggerOptions(validateEnv({ WORKERS })) as {
        transport: { options: PrettyOptions };
      };
      return prettyFactory(transport.options)({ level: 30, pid: 4_711, msg: 'hello' });
    };
    expect(readable('2')).toContain('4711');
    expect(readable('1')).not.toContain('4711');
  });

  it('should log only type, code, message and stack of an error', () => {
    const error = Object.assign(new RangeError('out of range'), {
      code: 'E_RANGE',
      body: { password: 'hunter2' },
      cause: new Error('hunter2'),
      headers: { authorization: 'hunter2' },
    });
    const { line, err } = logged(error);
    expect(Object.keys(err).sort()).toEqual(['code', 'message', 'stack', 'type']);
    expect(err).toMatchObject({ type: 'RangeError', code: 'E_RANGE', message: 'out of range' });
    expect(err.stack).toMatch(/^RangeError: out of range\n\s+at /);
    expect(line).not.toContain('hunter2');
  });

  it('should not log the request or response with an error', () => {
    const lines: string[] = [];
    const log = createLogger(validateEnv({ NODE_ENV: 'test' }), {
      write: (line) => lines.push(line),
    });
    const headers = { 'x-api-key': 'hunter2' };
    log.error({ req: { headers, ip: 'hunter2' }, res: { headers }, err: new Error('broken') });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('broken');
    expect(lines[0]).not.toMatch(/hunter2|"re[qs]"/);
  });

  it('should remove the values of a duplicate key error from message and stack', () => {
    const message = 'E11000 duplicate key error collection: a.users index: email_1';
    const { line, err } = logged(
      new mongoose.mongo.MongoServerError({
        message: `${message} dup key: { email: "hunter2\n\\"}$&" }`,
        code: 11_000,
        keyValue: { email: 'hunter2' },
      }),
    );
    expect(err).toMatchObject({ type: 'MongoServerError', code: 11_000, message });
    expect(err.stack).toContain('at ');
    expect(line).not.toContain('hunter2');
  });

  it('should log the paths of a failed validation or cast, not the values', () => {
    const cast = new mongoose.Error.CastError('ObjectId', 'hunter2', 'author');
    expect(logged(cast).err.message).toBe('cast to ObjectId failed at author');
    const validation = new mongoose.Error.ValidationError();
    validation.addError('author', cast);
    validation.addError('score', new mongoose.Error.CastError('Number', 'hunter2', 'score'));
    expect(logged(validation).err.message).toBe('validation failed at author, score');
    expect(logged(cast).line + logged(validation).line).not.toContain('hunter2');
  });

  it.each([
    ['a text', 'hunter2'],
    ['an object', { message: 'hunter2' }],
    ['null', null],
  ])('should not log %s that was thrown', (_what, value) => {
    const { line, err } = logged(value);
    expect(err).toEqual({ type: typeof value, message: 'not an Error', stack: '' });
    expect(line).not.toContain('hunter2');
  });

  describe('with control characters', () => {
    const FORGERY = 'a\r\n[10:00:00] INFO: forged \u001b[31m\u009b31m\u2028\u0007';
    const UNSAFE = /[^\P{Cc}\n]|[\u2028\u2029]/u;

    /** @returns the line as development mode shows it */
    function readable(write: (log: FastifyBaseLogger) => void): string {
      const lines: string[] = [];
      const stream = { write: (text: string) => lines.push(text) };
      write(createLogger(validateEnv({ NODE_ENV: 'test' }), stream));
      const { transport } = loggerOptions(validateEnv({ NODE_ENV: 'development' })) as {
        transport: { options: PrettyOptions };
      };
      const [line = ''] = lines;
      return prettyFactory(transport.options)(JSON.parse(line)) ?? '';
    }

    it('should write a message on one line', () => {
      for (const write of [
        (log: FastifyBaseLogger) => log.info(FORGERY),
        (log: FastifyBaseLogger) => log.warn({ context: 'a\r\n\u001b[31m' }, FORGERY),
      ]) {
        const text = readable(write);
        expect(text).toContain('forged');
        expect(text.indexOf('\n')).toBe(text.length - 1);
        expect(text).not.toMatch(UNSAFE);
      }
    });

    it('should not let the message of an error forge a line', () => {
      const text = readable((log) => log.error({ err: new Error(FORGERY) }, 'failed'));
      expect(text).toContain('forged');
      expect(text).not.toMatch(/^\[10:00:00]/m);
      expect(text).not.toMatch(UNSAFE);
    });
  });
});
