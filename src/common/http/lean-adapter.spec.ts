import { describe, expect, it, jest } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import createFastify from 'fastify';
import { leanAdapter } from './lean-adapter.js';

/** The names of the hooks that are added to an instance of Fastify while an adapter is made. */
function hooksOf(make: (fastify: ReturnType<typeof createFastify>) => unknown): string[] {
  const fastify = createFastify();
  const addHook = jest.spyOn(fastify, 'addHook');
  make(fastify);
  return addHook.mock.calls.map(([name]) => name);
}

describe('leanAdapter', () => {
  it('should leave out the hooks that Nest has today', () => {
    // Another one: find out what it is for before it is left out as well.
    expect(hooksOf((fastify) => new FastifyAdapter(fastify))).toEqual([
      ...Array<string>(6).fill('onRequest'),
      'onResponse',
    ]);
    expect(hooksOf(leanAdapter)).toEqual(['onRegister']);
  });

  it('should leave the hooks of everyone else alone', async () => {
    const fastify = createFastify();
    leanAdapter(fastify);
    const seen: string[] = [];
    fastify.addHook('onRequest', (_request, _reply, done) => {
      seen.push('onRequest');
      done();
    });
    await fastify.register((scope, _options, done) => {
      scope.addHook('onResponse', (_request, _reply, end) => {
        seen.push('onResponse');
        end();
      });
      scope.get('/', () => 'answer');
      done();
    });
    fastify.get('/outside', () => 'answer');
    await fastify.inject('/');
    await fastify.inject('/outside');
    expect(seen).toEqual(['onRequest', 'onResponse', 'onRequest']);
  });
});
