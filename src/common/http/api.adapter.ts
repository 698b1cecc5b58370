import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Listing, listingHeaders } from '../pagination/listing.js';
import { revisionTag } from './conditional/if-match.js';
import { Revisioned } from './conditional/revisioned.js';
import { successEnvelope } from './envelope/envelope.js';

/**
 * Nest on an instance of Fastify that the application has made, without what Nest's adapter adds to
 * every request, and with the envelope around what handlers return (docs/adr/0011).
 */
export class ApiAdapter extends FastifyAdapter {
  /** @param fastify on which nothing is registered yet that Nest would have to come before */
  constructor(fastify: FastifyInstance) {
    // The hooks of Nest's constructor stay on an instance that it makes for itself. They serve what is
    // not used here: Nest's middleware, CORS, security headers, versioning, 503 while closing.
    super({ skipMiddie: true });
    this.setInstance(fastify);
  }

  /**
   * Sends what a handler has returned: in the envelope, unless the route answers raw. The revision of a
   * record, and what a page of a list says besides its items, go into headers.
   *
   * @param status of an error that Nest itself renders; none for what a handler has returned
   */
  override reply(reply: FastifyReply, value: unknown, status?: number): FastifyReply {
    const { message } = reply.request.routeOptions.config;
    if (message === undefined || status !== undefined) return super.reply(reply, value, status);
    return super.reply(reply, successEnvelope(message, toData(reply, value)));
  }
}

/** Sets the headers that a value stands for. @returns the envelope's `data` */
function toData(reply: FastifyReply, value: unknown): unknown {
  if (value instanceof Listing) {
    void reply.headers(listingHeaders(value));
    return value.items;
  }
  if (value instanceof Revisioned) {
    void reply.header('etag', revisionTag(value.rev));
    return value.view;
  }
  return value;
}
