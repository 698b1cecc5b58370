import type { FastifyInstance } from 'fastify';

/**
 * Skips serialization when the client has disconnected. Serializing a long list costs more than
 * querying it, and clients that disconnect on purpose could cause that cost hundreds of times at once.
 */
export function registerDisconnectedClients(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (request, reply, payload, done) => {
    // `hijack` tells Fastify that no response follows.
    if (request.raw.socket.destroyed) reply.hijack();
    else done(null, payload);
  });
}
