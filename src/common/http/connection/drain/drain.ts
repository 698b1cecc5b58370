import type { FastifyInstance } from 'fastify';

const INTERVAL_MS = 50;

/**
 * Drains connections while the server stops: closes each one as soon as its requests have ended. Node
 * itself closes only those that are idle when the stop begins. The others would keep the process alive
 * until the keep-alive timeout.
 */
export function registerDrain(fastify: FastifyInstance): void {
  fastify.addHook('preClose', (done) => {
    const timer = setInterval(() => fastify.server.closeIdleConnections(), INTERVAL_MS);
    fastify.server.once('close', () => clearInterval(timer));
    // A server that never listened emits no `close`.
    timer.unref();
    done();
  });
}
