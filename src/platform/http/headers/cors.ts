import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'x-api-key',
  'x-request-id',
];
const PREFLIGHT_CACHE_SECONDS = 7_200;

/**
 * Responds to preflights, which need no API key. The plugin is registered in a scope of its own, so that its
 * hook does not slow down other requests. Those need only the CORS headers of common-headers.ts.
 *
 * @param origins `['*']` allows any origin; an empty list disables preflights
 */
export async function registerPreflight(
  fastify: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
  if (origins.length === 0) return;
  await fastify.register(async (scope) => {
    await scope.register(cors, {
      origin: origins.includes('*') ? '*' : [...origins],
      methods: METHODS,
      allowedHeaders: REQUEST_HEADERS,
      maxAge: PREFLIGHT_CACHE_SECONDS,
      strictPreflight: false,
    });
  });
}
