import type { FastifyReply, FastifyRequest } from 'fastify';
import { announcesBody } from '../input/body-headers.js';
import { closeLingering } from './lingering-close.js';

/**
 * Closes the connection after a response that is sent before the request's body has arrived, because
 * the next bytes of the client are that body, not a request. Call it before the response is sent.
 */
export function closeIfEarly({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!announcesBody(raw) || raw.complete) return;
  void reply.header('connection', 'close');
  // Node calls this method after it has written the last response of a connection.
  raw.socket.destroySoon = () => closeLingering(raw.socket);
}
