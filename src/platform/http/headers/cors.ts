import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'x-api-key',
  'x-request-id',
];
/** Response headers that a script of another origin may read. */
export const EXPOSED = 'ETag, Link, x-total-count, x-request-id, Retry-After, instruction';
const PREFLIGHT_CACHE_SECONDS = 7_200;

/**
 * Responds to preflights, which need no API key. The plugin is registered in a scope of its own, so
 * that its hook does not slow down other requests, which need only the headers of `corsHeaders`.
 *
 * @param origins `['*']` for any; an empty list disables preflights
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

/**
 * The CORS headers of every response, errors included.
 *
 * @returns a function of the `Origin` header
 */
export function corsHeaders(
  origins: readonly string[],
): (origin: string | undefined) => Readonly<Record<string, string>> {
  if (origins.length === 0) return () => ({});
  if (origins.includes('*')) {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
    };
    return () => headers;
  }
  const allowed = new Set(origins);
  const refused = { vary: 'Origin' };
  return (origin) =>
    origin !== undefined && allowed.has(origin)
      ? {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': EXPOSED,
          vary: 'Origin',
        }
      : refused;
}
