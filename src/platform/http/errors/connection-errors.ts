import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../../config/env.js';
import { requestLogger } from '../../logging/request-log.js';
import { ApiError, FrameworkError, UnknownPathError } from './api.errors.js';
import { commonHeaders } from '../headers/common-headers.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { closeIfEarly } from './early-responses.js';
import type { FrameworkErrorName } from './framework-errors.js';
import { closeLingering } from './lingering-close.js';
import { isUploading } from '../input/uploads/slow-uploads.js';

type Settings = Pick<Env, 'CORS_ORIGINS' | 'LOG_REQUESTS' | 'SLOW_MS'>;

/** The errors to send, by error code of Node's HTTP parser and timeouts. Any other code gets 400. */
const ERROR_BY_NODE_CODE: Readonly<Record<string, FrameworkErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'tooSlow',
};

/** Parser errors in a body. The request with that body may have been answered already. */
const BODY_ERRORS: ReadonlySet<string> = new Set([
  'HPE_INVALID_CHUNK_SIZE',
  'HPE_CHUNK_EXTENSIONS_OVERFLOW',
  'HPE_STRICT',
]);

/**
 * Node stores the unfinished response of the socket in this private property. Node's own error handler reads
 * it too.
 */
interface ResponseSocket extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

/**
 * Returns the handler that sends the envelope when Node refuses a request: malformed, too large or too slow.
 */
export function clientErrorHandler({
  CORS_ORIGINS,
  LOG_REQUESTS,
}: Settings): (
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: ResponseSocket,
) => void {
  const headersOf = commonHeaders(CORS_ORIGINS);
  return function handleClientError(error, socket) {
    // Bytes after the last request of a connection are ignored (RFC 9112, section 9.6).
    if (error.code === 'HPE_CLOSED_CONNECTION' && socket._httpMessage) return;
    // Node's time limit is too short for a file; slow-uploads.ts has another one.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket)) return;
    if (!canRespond(error.code ?? '', socket)) {
      socket.destroy();
      return;
    }
    const refusal = new FrameworkError(ERROR_BY_NODE_CODE[error.code ?? ''] ?? 'malformedRequest');
    const status = refusal.getStatus();
    const body = JSON.stringify(errorEnvelope(status, refusal.getResponse()));
    const requestId = randomUUID();
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      ...headersOf(requestId, undefined),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`;
    closeLingering(socket, [statusLine, ...lines, '', body].join('\r\n'));
    // Node passes no method and no path of the request that it refuses, so none is logged.
    if (LOG_REQUESTS !== 'none') {
      this.log.info({ reqId: requestId, status, reason: error.code }, 'malformed request');
    }
  };
}

/**
 * Whether a response may be written. After a reset, it cannot be sent. After another response, it must not be
 * sent: the client would take it for the answer to its next request.
 */
function canRespond(code: string, socket: ResponseSocket): boolean {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return false;
  return socket._httpMessage ? !socket._httpMessage.headersSent : !BODY_ERRORS.has(code);
}

/**
 * Refuses a request before its body is read if it has no route, or if it lacks a `Host` header or has several
 * (RFC 9112, section 3.2). This function also changes two defaults of Node for `Expect` (RFC 9110, section
 * 10.1.1): an unknown expectation is ignored, and `100 Continue` is sent only once the admission hook has
 * accepted the headers.
 */
export function registerRequestChecks(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw, is404 }, _reply, done) => {
    const problem = hostProblem(raw);
    if (problem !== null) done(new ApiError('malformed_request', problem));
    // The exception filter turns this 404 into 405 if the path has routes for other methods.
    else done(is404 ? new UnknownPathError() : undefined);
  });
  for (const event of ['checkExpectation', 'checkContinue']) {
    fastify.server.on(event, (request, response) =>
      fastify.server.emit('request', request, response),
    );
  }
}

/**
 * Says what is wrong with the `Host` header; null if nothing is. Two are refused, because a proxy may have
 * used the one that Node ignores. HTTP/1.0 needs no `Host`.
 */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return 'the host header is there twice: send one';
  return hosts === 0 && httpVersion === '1.1' ? 'the host header is missing' : null;
}

/**
 * Counts the `Host` headers among the raw headers, because `headers` keeps only the first one.
 *
 * @param rawHeaders names and values, which alternate
 */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/**
 * Returns the handler that sends the envelope when the router refuses a path before any hook runs, because
 * the path cannot be decoded or is too long.
 */
export function frameworkErrorHandler(
  settings: Settings,
): (error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply) => void {
  const headersOf = commonHeaders(settings.CORS_ORIGINS);
  const logRequest = requestLogger(settings);
  return (error, request, reply) => {
    const refusal = new FrameworkError(
      error.code === 'FST_ERR_BAD_URL' ? 'malformedPath' : 'unknownPath',
    );
    const status = refusal.getStatus();
    closeIfEarly(request, reply);
    void reply
      .status(status)
      .headers(headersOf(request.id, request.headers.origin))
      .send(errorEnvelope(status, refusal.getResponse()));
    logRequest?.(request, reply);
  };
}
