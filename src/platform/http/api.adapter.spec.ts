import 'reflect-metadata';
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
});
