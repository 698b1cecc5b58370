import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import createFastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { registerDeadline } from './deadline.js';

const DEADLINE_MS = 100;

describe('registerDeadline', () => {
  let fastify: FastifyInstance;
  let logged: string[];
  let release: () => void;
  let released: Promise<void>;
  let handled: Promise<unknown>;
  let guarded: jest.Mock;

  beforeEach(() => {
    logged = [];
    guarded = jest.fn(() => 'must not run');
    released = new Promise((resolve) => (release = resolve));
    const stream = { write: (line: string) => logged.push(line) };
    fastify = createFastify({ logger: { level: 'warn', stream } });
    registerDeadline(fastify, { deadlineMs: DEADLINE_MS, sweepMs: 10 });
    fastify.get('/now', () => 'now');
    const late = (handler: (reply: FastifyReply) => unknown) => (_: unknown, reply: FastifyReply) =>
      (handled = released.then(() => handler(reply)));
    fastify.route({ method: ['GET', 'PUT'], url: '/late', handler: late(() => 'late') });
    fastify.get(
      '/sends',
      late((reply) => void reply.status(200).headers({ a: 'b' }).send('late')),
    );
    fastify.get(
      '/fails',
      late(() => Promise.reject(new Error('late'))),
    );
    fastify.get('/guarded', { onRequest: () => released }, guarded);
  });

  afterEach(async () => {
    release();
    await fastify.close();
  });

  const ask = async (method: 'GET' | 'PUT' | 'HEAD', url: string) => {
    const { statusCode, headers, body } = await fastify.inject({ method, url });
    return { status: statusCode, retryAfter: headers['retry-after'], body };
  };
  const UNAVAILABLE = { status: 503, retryAfter: '1' };

  it.each(['/late', '/sends', '/fails', '/guarded'])(
    'should respond 503 for %s and drop the later response',
    async (url) => {
      const { body, ...rest } = await ask('GET', url);
      expect(rest).toEqual(UNAVAILABLE);
      expect(JSON.parse(body)).toEqual({
        code: '10002',
        status: 503,
        message: 'the request took too long: try again in a moment',
        reason: 'unavailable',
      });
      release();
      await Promise.allSettled([handled, released]);
      expect(await ask('GET', '/now')).toMatchObject({ status: 200, body: 'now' });
      expect(logged.filter((line) => line.includes('FST_ERR_REP_ALREADY_SENT'))).toEqual([]);
      expect(guarded).not.toHaveBeenCalled();
    },
  );

  it('should respond to HEAD without a body', async () => {
    expect(await ask('HEAD', '/late')).toEqual({ ...UNAVAILABLE, body: '' });
  });

  it('should not count the time in which a body arrives', async () => {
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    const headers = 'host: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n';
    socket.write(`PUT /late HTTP/1.1\r\n${headers}connection: close\r\n\r\n{`);
    await once(fastify.server, 'request');
    // If the arrival counted, the first request would have got 503 before this one.
    expect(await ask('GET', '/late')).toMatchObject(UNAVAILABLE);
    release();
    socket.write('}');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });
});
