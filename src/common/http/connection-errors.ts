import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorEnvelope } from './envelope.js';

/** Node's own refusals, made before there is a request to route. */
const STATUS_BY_CODE: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request headers are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** Answers a request that is no HTTP, too large or too slow, with the envelope all the same. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // Nobody is there to read an answer after a reset.
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = STATUS_BY_CODE[error.code ?? ''] ?? [400, 'malformed HTTP request'];
  const body = JSON.stringify(errorEnvelope(status, message));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Answers what the router refuses before any hook runs: undecodable or over-long paths. */
export function answerFrameworkError(
  error: Error & { code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const [status, message] =
    error.code === 'FST_ERR_BAD_URL'
      ? ([400, 'the path is not validly percent-encoded'] as const)
      : ([404, 'not found: no such path'] as const);
  void reply
    .status(status)
    .headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .send(errorEnvelope(status, message));
}
