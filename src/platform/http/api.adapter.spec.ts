import 'reflect-metadata';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, jest } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import createFastify, { type FastifyInstance } from 'fastify';
import { ApiAdapter } from './api.adapter.js';

/** The names of the hooks that are added to an instance of Fastify while an adapter is made. */
function hooksOf(make: (fastify: FastifyInstance) => unknown): string[] {
  const fastify = createFastify();
  const addHook = jest.spyOn(fastify, 'addHook');
  make(fastify);
  return addHook.mock.calls.map(([name]) => name);
}

describe('ApiAdapter', () => {
  it('should leave out the hooks that Nest has today', () => {
    // If Nest adds another hook, find out its purpose before leaving it out as well.
    expect(hooksOf((fastify) => new FastifyAdapter(fastify))).toEqual([
      ...Array<string>(6).fill('onRequest'),
      'onResponse',
    ]);
    expect(hooksOf((fastify) => new ApiAdapter(fastify))).toEqual([]);
  });

  it('should not serialize a response for a client that has disconnected', async () => {
    let serialized = 0;
    const answer = { toJSON: () => `answer ${(serialized += 1)}` };
    let reportStart = (): void => undefined;
    const handlerStarted = new Promise<void>((resolve) => (reportStart = resolve));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let disconnected: Promise<unknown> = released;
    const fastify = createFastify();
    const adapter = new ApiAdapter(fastify);
    fastify.get('/', async ({ raw }, reply) => {
      disconnected = once(raw.socket, 'close');
      reportStart();
      await released;
      return adapter.reply(reply, answer);
    });
    const url = new URL(await fastify.listen({ port: 0, host: '127.0.0.1' }));
    const client = connect(Number(url.port), url.hostname);
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await handlerStarted;
    client.destroy();
    await disconnected;
    release();
    // When this second response arrives, the handler of the first request has continued.
    expect(await (await fetch(url)).json()).toBe('answer 1');
    await fastify.close();
  });
});
