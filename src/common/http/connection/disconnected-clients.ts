import type { FastifyInstance } from 'fastify';

/**
 * Makes no answer for a client that has gone. To turn a long list into text costs more than all that was
 * done for it before, and who cuts connections on purpose could have it done hundreds of times at once.
 */
export function registerDisconnectedClients(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    // Nothing follows: there is nobody to send it to, and nothing to log but that.
    if (request.raw.socket.destroyed) reply.hijack();
    else done(null, payload);
  });
}
