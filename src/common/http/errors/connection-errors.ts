import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../../../config/env.js';
import { requestLogger } from '../../logging/request-log.js';
import { BadParameterError, UnknownPathError } from './api.errors.js';
import { commonHeaders } from '../headers/common-headers.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { closeIfEarly } from './early-answers.js';
import { REFUSALS } from './framework-errors.js';
import { closeLingering } from './lingering-close.js';

type Settings = Pick<Env, 'CORS_ORIGINS' | 'LOG_REQUESTS' | 'SLOW_MS'>;

/** Node's own refusals, made before there is a request to route. */
const REFUSAL_BY_CODE: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: REFUSALS.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: REFUSALS.tooSlow,
};

/** A request's headers were in order and its body is not: it may have been answered already. */
const BODY_ERRORS: ReadonlySet<string> = new Set([
  'HPE_INVALID_CHUNK_SIZE',
  'HPE_CHUNK_EXTENSIONS_OVERFLOW',
  'HPE_STRICT',
]);

/** What Node keeps on a socket while a request is being answered; its own handler asks it, too. */
interface AnsweringSocket extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

/** Answers a request that is no HTTP, too large or too slow, with the envelope all the same. */
export function clientErrorHandler({
  CORS_ORIGINS,
  LOG_REQUESTS,
}: Settings): (
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: AnsweringSocket,
) => void {
  const headersOf = commonHeaders(CORS_ORIGINS);
  return function answerClientError(error, socket) {
    // What follows the last request of a connection is ignored (RFC 9112, section 9.6).
    if (error.code === 'HPE_CLOSED_CONNECTION' && socket._httpMessage) return;
    if (!canAnswer(error.code ?? '', socket)) {
      socket.destroy();
      return;
    }
    const { status, message } = REFUSAL_BY_CODE[error.code ?? ''] ?? REFUSALS.malformedRequest;
    const body = JSON.stringify(errorEnvelope(status, message));
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
    // Neither method nor path: they were not understood, or never arrived.
    if (LOG_REQUESTS !== 'none') {
      this.log.info({ reqId: requestId, status, reason: error.code }, 'malformed request');
    }
  };
}

/** Nobody reads after a reset, and a second answer would be taken for that of the next request. */
function canAnswer(code: string, socket: AnsweringSocket): boolean {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) return false;
  return socket._httpMessage ? !socket._httpMessage.headersSent : !BODY_ERRORS.has(code);
}

/**
 * Refuses a missing host, two of them and an unrouted request before a body is read, and takes from Node
 * two answers that it would give by itself: an unknown expectation may be ignored, and the 100 that a
 * client waits for is sent where its body is accepted (RFC 9112, section 3.2; RFC 9110, section 10.1.1).
 */
export function registerNodeRefusals(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw, is404 }, _reply, done) => {
    const problem = hostProblem(raw);
    if (problem !== null) done(new BadParameterError(problem));
    // The filter tells 404 from 405.
    else done(is404 ? new UnknownPathError() : undefined);
  });
  for (const event of ['checkExpectation', 'checkContinue']) {
    fastify.server.on(event, (request, response) =>
      fastify.server.emit('request', request, response),
    );
  }
}

/** Of two hosts a proxy in front may have followed the other one. HTTP/1.0 asks for none. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const hosts = countHosts(rawHeaders);
  if (hosts > 1) return 'the host header is there twice: send one';
  return hosts === 0 && httpVersion === '1.1' ? 'the host header is missing' : null;
}

/** Node keeps the first of several in `headers`. @param rawHeaders names and values in turn */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

/** Answers what the router refuses before any hook runs: undecodable or over-long paths. */
export function frameworkErrorHandler(
  settings: Settings,
): (error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply) => void {
  const headersOf = commonHeaders(settings.CORS_ORIGINS);
  const logRequest = requestLogger(settings);
  return (error, request, reply) => {
    const { status, message } =
      error.code === 'FST_ERR_BAD_URL' ? REFUSALS.malformedPath : REFUSALS.unknownPath;
    closeIfEarly(request, reply);
    void reply
      .status(status)
      .headers(headersOf(request.id, request.headers.origin))
      .send(errorEnvelope(status, message));
    logRequest?.(request, reply);
  };
}
