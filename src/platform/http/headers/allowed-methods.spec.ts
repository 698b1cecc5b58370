import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import createFastify, { type FastifyInstance } from 'fastify';
import { collectAllowedMethods } from './allowed-methods.js';

const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 20 };

describe('collectAllowedMethods', () => {
  let fastify: FastifyInstance;

  beforeEach(async () => {
    fastify = createFastify({ routerOptions: ROUTER_OPTIONS });
    collectAllowedMethods(fastify, ROUTER_OPTIONS);
    const handler = (): string => '';
    fastify.get('/blog/:id', handler);
    fastify.put('/blog/:id', handler);
    fastify.post('/blog', handler);
    fastify.route({ method: ['PUT', 'DELETE'], url: '/blog/latest', handler });
    fastify.options('*', handler);
    await fastify.register((scope) => {
      scope.post('/inner', handler);
      return Promise.resolve();
    });
    await fastify.ready();
  });

  afterEach(async () => {
    await fastify.close();
  });

  it.each([
    ['/blog', ['POST']],
    ['/blog/', ['POST']],
    ['/blog/1', ['GET', 'HEAD', 'PUT']],
    ['/blog/a%2Fb', ['GET', 'HEAD', 'PUT']],
    // `/blog/:id` and `/blog/latest` both match this path.
    ['/blog/latest', ['DELETE', 'GET', 'HEAD', 'PUT']],
    ['/inner', ['POST']],
    ['/', []],
    ['/blog/1/2', []],
    ['/BLOG', []],
    ['/nowhere', []],
    [`/blog/${'x'.repeat(21)}`, []],
    ['', []],
  ])('should list the methods of %s', (path, methods) => {
    expect(fastify.allowedMethods(path)).toEqual(methods);
  });

  it('should not count the preflight route, which matches every path', () => {
    expect(fastify.allowedMethods('/anything')).not.toContain('OPTIONS');
  });
});
