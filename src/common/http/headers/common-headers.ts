import type { FastifyInstance } from 'fastify';
import { corsHeaders } from './cors.js';

/**
 * The headers of every response. `Cache-Control` is `no-store`, which public reads replace.
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
 * Sets them on the response to every request that the router has accepted, unless a handler has set
 * them. In `onSend`, because the response cache skips that hook and sends stored headers.
 */
export function registerCommonHeaders(fastify: FastifyInstance, origins: readonly string[]): void {
  const headersOf = commonHeaders(origins);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    for (const [name, value] of Object.entries(headersOf(request.id, request.headers.origin))) {
      if (!reply.hasHeader(name)) void reply.header(name, value);
    }
    done(null, payload);
  });
}
