import 'reflect-metadata';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
});

describe('ApiAdapter, for a client that has disconnected', () => {
  let fastify: FastifyInstance;
  let url: URL;
  let serialized = 0;
  let begun: Promise<void>;
  let isGone: Promise<void>;
  let letGo: () => void;

  const answer = {
    toJSON: () => {
      serialized += 1;
      return 'answer';
    },
  };

  beforeEach(async () => {
    serialized = 0;
    let begin = (): void => undefined;
    begun = new Promise((resolve) => (begin = resolve));
    const held = new Promise<void>((resolve) => (letGo = resolve));
    fastify = createFastify();
    const adapter = new ApiAdapter(fastify);
    fastify.get('/', async ({ raw }, reply) => {
      isGone = new Promise((resolve) => raw.socket.once('close', () => resolve()));
      begin();
      await held;
      return adapter.reply(reply, answer);
    });
    url = new URL(await fastify.listen({ port: 0, host: '127.0.0.1' }));
  });

  afterEach(() => fastify.close());

  it('should not serialize a response for a client that has disconnected', async () => {
    const client = connect(Number(url.port), url.hostname);
    client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await begun;
    client.destroy();
    await isGone;
    letGo();
    // When this second response arrives, the handler of the first request has continued.
    const next = await fetch(url);
    expect(await next.json()).toBe('answer');
    expect(serialized).toBe(1);
  });

  it('should serialize the response for a client that waits', async () => {
    const response = fetch(url);
    await begun;
    letGo();
    expect(await (await response).json()).toBe('answer');
    expect(serialized).toBe(1);
  });
});
