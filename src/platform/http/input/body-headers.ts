import type { IncomingMessage } from 'node:http';
import type { HttpException } from '@nestjs/common';
import type { FastifyRequest, RouteOptions } from 'fastify';
import { BodyTooLargeError, UnsupportedMediaTypeError } from '../errors/api.errors.js';
import { BODY_TYPE } from './json-parser.js';
import { UPLOAD_TYPE } from './uploads/upload.js';

const NO_FORM = `the body must be a form, with content-type ${UPLOAD_TYPE}`;

/** Whether a route takes a body: Fastify reads no body of GET and HEAD requests. */
export function takesBody({ method }: RouteOptions): boolean {
  return [method].flat().some((name) => name !== 'GET' && name !== 'HEAD');
}

/** Whether a body follows the headers of a request (RFC 9112, section 6.3). */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
export function awaitsContinue({
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean {
  // HTTP/1.0 has no expectations.
  return httpVersion === '1.1' && /\b100-continue\b/i.test(headers.expect ?? '');
}

/**
 * Checks the media type and `Content-Length` of a body before it is read. Fastify checks the length
 * of a chunked body while it reads it.
 *
 * @param limit limit in bytes
 * @returns the error to send; null when the body is acceptable or absent
 */
export function bodyHeaderError(request: FastifyRequest, limit: number): HttpException | null {
  if (!announcesBody(request.raw)) return null;
  const { isUpload } = request.routeOptions.config;
  if (request.mediaType !== (isUpload ? UPLOAD_TYPE : BODY_TYPE)) {
    return new UnsupportedMediaTypeError(isUpload ? NO_FORM : undefined);
  }
  const length = Number(request.headers['content-length'] ?? 0);
  return length > limit ? new BodyTooLargeError(limit) : null;
}
