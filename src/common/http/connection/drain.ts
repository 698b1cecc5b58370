import type { FastifyInstance } from 'fastify';

const STEP_MS = 50;

/**
 * Lets a server that stops go as soon as it has answered what it was asked. Node closes the
 * connections that are idle when it stops; one that was answering then would be kept alive for
 * another minute, and the process with it.
 */
export function registerDrain(fastify: FastifyInstance): void {
  fastify.addHook('preClose', (done) => {
    const timer = setInterval(() => fastify.server.closeIdleConnections(), STEP_MS);
    fastify.server.once('close', () => clearInterval(timer));
    // A server that was never started does not close.
    timer.unref();
    done();
  });
}
