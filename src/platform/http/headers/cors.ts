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
 * @param cookiePath the path of the route that sets a cookie, which listed origins may ask with credentials
 */
export async function registerPreflight(
  fastify: FastifyInstance,
  origins: readonly string[],
  cookiePath: string,
): Promise<void> {
  if (origins.length === 0) return;
  const isAny = origins.includes('*');
  const options = {
    origin: isAny ? '*' : [...origins],
    methods: METHODS,
    allowedHeaders: REQUEST_HEADERS,
    maxAge: PREFLIGHT_CACHE_SECONDS,
    strictPreflight: false,
  };
  await fastify.register(async (scope) => {
    await scope.register(cors, {
      delegator: ({ url }, done) =>
        done(null, { ...options, credentials: !isAny && url === cookiePath }),
    });
  });
}
