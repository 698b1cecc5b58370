import type { FastifyInstance } from 'fastify';
import { corsHeaders } from './cors.js';

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
 * Sets the common headers for every request that the router has accepted, unless a handler has set
 * them. It uses `onSend`, which the response cache skips: its stored responses include the headers.
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
