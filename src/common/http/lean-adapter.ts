import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** What Nest's adapter hangs on every request and every response. */
const SKIPPED: ReadonlySet<string> = new Set(['onRequest', 'onResponse']);

/**
 * Nest's adapter on an instance of Fastify, without its hooks. They serve what is not used here: Nest's
 * middleware, its CORS and CSRF protection, custom versioning, its 503 while closing, hooks of its own.
 * A read that comes from memory would spend a fifth of its time in them. `lean-adapter.spec.ts` says
 * which ones they are, for whoever updates Nest.
 *
 * @param fastify on which nothing is registered yet that Nest would have to come before
 */
export function leanAdapter(fastify: FastifyInstance): FastifyAdapter {
  // Else Nest registers a plugin for middleware, with a hook of its own.
  fastify.decorate('skipMiddie', true);
  const addHook: unknown = Reflect.get(fastify, 'addHook');
  const add = fastify.addHook.bind(fastify) as (...hook: unknown[]) => FastifyInstance;
  const addUnlessSkipped = (name: string, ...hook: unknown[]): FastifyInstance =>
    SKIPPED.has(name) ? fastify : add(name, ...hook);
  Object.assign(fastify, { addHook: addUnlessSkipped });
  try {
    return new FastifyAdapter(fastify);
  } finally {
    Object.assign(fastify, { addHook });
  }
}
