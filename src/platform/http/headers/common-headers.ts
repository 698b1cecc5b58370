import type { FastifyInstance } from 'fastify';
import { closeIfEarly } from '../errors/early-responses.js';

/** Response headers that a script of another origin may read. */
export const EXPOSED = 'ETag, Link, x-total-count, x-request-id, Retry-After, instruction';

/**
 * The headers of every response. Public reads replace `Cache-Control: no-store`.
 *
 * @returns a function of the request id and the `Origin` header
 */
export function commonHeaders(
  origins: readonly string[],
): (requestId: string, origin: string | undefined) => Readonly<Record<string, string>> {
  const corsHeadersOf = corsHeaders(origins);
  return (requestId, origin) => ({
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...corsHeadersOf(origin),
  });
}

/**
 * Sets the common headers of the response to every request that the router has accepted, unless a handler has
 * set them. Also closes the connection of a request whose body has not arrived. Responses from the
 * response cache skip this `onSend` hook, because that cache stores these headers too.
 */
export function registerCommonHeaders(fastify: FastifyInstance, origins: readonly string[]): void {
  const headersOf = commonHeaders(origins);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    for (const [name, value] of Object.entries(headersOf(request.id, request.headers.origin))) {
      if (!reply.hasHeader(name)) void reply.header(name, value);
    }
    if (!request.raw.complete) closeIfEarly(request, reply);
    done(null, payload);
  });
}

/**
 * The CORS headers of every response, errors included.
 *
 * @returns a function of the `Origin` header
 */
function corsHeaders(
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
