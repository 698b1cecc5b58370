import type { FastifyInstance } from 'fastify';
import { corsHeaders } from './cors.js';

/**
 * The headers that every response carries, whoever makes it. `no-store` is the rule; public reads
 * replace it.
 *
 * @returns a function of the request's id and its `Origin`
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
 * Sets them on every reply to a request that the router has accepted, where a handler has not set its
 * own: when it is sent, because the fast lane sends its own and must not pay for these.
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
