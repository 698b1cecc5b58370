import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { announcesBody } from '../input/body-headers.js';
import { closeLingering } from './lingering-close.js';

/**
 * Makes an answer the last one of its connection when the body of its request has not arrived: what
 * follows is that body, which nobody reads. To be called before the answer is sent.
 */
export function closeIfEarly({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!announcesBody(raw) || raw.complete) return;
  void reply.header('connection', 'close');
  // Node calls it when the last answer of a connection has been written.
  raw.socket.destroySoon = () => closeLingering(raw.socket);
}

/** Does so for every reply to a request that the router has accepted. */
export function registerEarlyAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    closeIfEarly(request, reply);
    done(null, payload);
  });
}
