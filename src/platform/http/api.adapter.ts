import { FastifyAdapter } from '@nestjs/platform-fastify';
import { StreamableFile } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Listing, listingHeaders } from './pagination/listing.js';
import { Revisioned } from './conditional/revisioned.js';
import { WARNINGS_MAX, type Envelope, type FieldWarning } from './envelope/envelope.js';
import { Warned } from './envelope/warned.js';
import { WithHeaders } from './envelope/with-headers.js';
import { ResultCode } from './envelope/result-code.js';
import { unknownNameWarnings } from './input/unknown-names.js';
import { TextDocument } from './text-document.js';

/**
 * Nest's adapter for Fastify with two changes (docs/adr/0011). It adds none of Nest's hooks to the
 * application's Fastify instance, and it puts the values that handlers return into the envelope.
 */
export class ApiAdapter extends FastifyAdapter {
  constructor(fastify: FastifyInstance) {
    // Nest's constructor adds its hooks to a new Fastify instance, which setInstance then replaces. Those
    // hooks serve features that are not used here: Nest's middleware, CORS, security headers, versioning, 503
    // while closing.
    super({ skipMiddie: true });
    this.setInstance(fastify);
  }

  /**
   * Sends the value that a handler has returned, in the envelope unless the route has none. The revision
   * number of a record, and the next page and the total of a list, are sent as headers.
   *
   * @param status status of an error that Nest renders itself; undefined for a value that a handler returned
   */
  override reply(reply: FastifyReply, value: unknown, status?: number): FastifyReply {
    // Serializing a long list costs more than querying it, and clients that disconnect on purpose could cause
    // that cost hundreds of times at once. So nothing is serialized for a client that has disconnected.
    if (reply.request.raw.socket.destroyed) return reply.hijack();
    if (value instanceof TextDocument) return this.replyDocument(reply, value);
    const { message, knownNames } = reply.request.routeOptions.config;
    if (message === undefined || status !== undefined) return super.reply(reply, value, status);
    const warnings = value instanceof Warned ? value.warnings : [];
    const unknown = knownNames ? unknownNameWarnings(reply.request, knownNames) : [];
    const data = toData(reply, value);
    return super.reply(reply, successEnvelope(message, data, [...warnings, ...unknown]));
  }

  /**
   * Sends only the body of a document. If the body is a string, the `preSerialization` hooks get the whole
   * TextDocument, so that the hooks of the caches find `data` as in an envelope.
   */
  private replyDocument(reply: FastifyReply, document: TextDocument): FastifyReply {
    const { type, body } = document;
    if (typeof body !== 'string') return super.reply(reply, new StreamableFile(body, { type }));
    void reply.type(type).serializer(() => body);
    return super.reply(reply, document);
  }
}

/**
 * Sets the headers of a Listing, a Revisioned value, or a WithHeaders.
 *
 * @returns the envelope's `data`
 */
function toData(reply: FastifyReply, value: unknown): unknown {
  if (value instanceof Listing) {
    void reply.headers(listingHeaders(value));
    return value.items;
  }
  if (value instanceof WithHeaders) {
    void reply.headers(value.headers);
    return value.data;
  }
  if (value instanceof Revisioned) void reply.header('etag', value.tag);
  return value instanceof Warned ? value.view : value;
}

/**
 * @param data is left out of the envelope when undefined
 * @param warnings the first WARNINGS_MAX are sent; the envelope has no empty list
 */
function successEnvelope<T>(
  message: string,
  data: T | undefined,
  warnings: readonly FieldWarning[] = [],
): Envelope<T> {
  return {
    code: ResultCode.SUCCESS,
    status: 200,
    message,
    ...(data === undefined ? {} : { data }),
    ...(warnings.length > 0 ? { warnings: warnings.slice(0, WARNINGS_MAX) } : {}),
  };
}
