import 'reflect-metadata';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BadRequestException, Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import createFastify, { type FastifyInstance } from 'fastify';
import { Listing } from './pagination/listing.js';
import { configureRoutes } from './access/route-config.js';
import { Endpoint } from './openapi/endpoint.decorator.js';
import { ApiAdapter } from './api.adapter.js';
import { Revisioned } from './conditional/revisioned.js';

/** The names of the hooks that are added to an instance of Fastify while an adapter is made. */
function hooksOf(make: (fastify: FastifyInstance) => unknown): string[] {
  const fastify = createFastify();
  const addHook = jest.spyOn(fastify, 'addHook');
  make(fastify);
  return addHook.mock.calls.map(([name]) => name);
}

@Controller()
class Things {
  @Get('thing')
  @Endpoint({ id: 'getThing', summary: 'A thing', message: 'here it is' })
  thing(): object {
    return { name: 'thing' };
  }

  @Get('text')
  text(): string {
    return 'text';
  }

  @Post('nothing')
  async nothing(): Promise<void> {
    await Promise.resolve();
  }

  @Get('page')
  page(): Listing<string> {
    return new Listing(['a', 'b'], 2, null, 17);
  }

  @Get('record')
  record(): Revisioned<string> {
    return new Revisioned('record', 3);
  }

  @Post('raw')
  @Endpoint({ id: 'getKeys', summary: 'Keys', raw: Object })
  raw(): object {
    return { keys: [] };
  }

  @Get('refused')
  @HttpCode(418)
  refused(): never {
    throw new BadRequestException('refused');
  }
}

@Module({ controllers: [Things] })
class ThingsModule {}

describe('ApiAdapter', () => {
  it('should leave out the hooks that Nest has today', () => {
    // If Nest adds another hook, find out its purpose before leaving it out as well.
    expect(hooksOf((fastify) => new FastifyAdapter(fastify))).toEqual([
      ...Array<string>(6).fill('onRequest'),
      'onResponse',
    ]);
    expect(hooksOf((fastify) => new ApiAdapter(fastify))).toEqual([]);
  });

  it.each([
    [
      'GET',
      '/thing',
      { code: '10000', status: 200, message: 'here it is', data: { name: 'thing' } },
    ],
    ['HEAD', '/thing', undefined],
    ['GET', '/text', { code: '10000', status: 200, message: 'success', data: 'text' }],
    ['POST', '/nothing', { code: '10000', status: 200, message: 'success' }],
    ['GET', '/page', { code: '10000', status: 200, message: 'success', data: ['a', 'b'] }],
    ['GET', '/record', { code: '10000', status: 200, message: 'success', data: 'record' }],
    ['POST', '/raw', { keys: [] }],
  ] as const)(
    'should answer %s %s with 200 and its envelope, if it has one',
    async (method, url, body) => {
      const response = await ask(method, url);
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.body).toBe(body === undefined ? '' : JSON.stringify(body));
      expect(response.headers['x-total-count']).toBe(url === '/page' ? '17' : undefined);
      expect(response.headers['etag']).toBe(url === '/record' ? '"3"' : undefined);
    },
  );

  it('should not put an error into a success envelope', async () => {
    const { statusCode, body } = await ask('GET', '/refused');
    expect([statusCode, JSON.parse(body)]).toEqual([
      400,
      { statusCode: 400, message: 'refused', error: 'Bad Request' },
    ]);
  });

  async function ask(method: 'GET' | 'HEAD' | 'POST', url: string) {
    const adapter = new ApiAdapter(createFastify());
    const app: NestFastifyApplication = await NestFactory.create(ThingsModule, adapter, {
      logger: false,
      abortOnError: false,
    });
    configureRoutes(app);
    await app.init();
    const response = await app.inject({ method, url });
    await app.close();
    return response;
  }
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
