import type { FastifyInstance } from 'fastify';
import { corsHeaders } from './cors.js';

/**
 * The headers that every response carries (contract, section 1). `no-store` is the rule; public
 * reads replace it.
 */
export function registerCommonHeaders(fastify: FastifyInstance, origins: readonly string[]): void {
  const headersFor = corsHeaders(origins);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply
      .headers(headersFor(request.headers.origin))
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store');
    done();
  });
}
