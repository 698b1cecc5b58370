import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../config/env.js';
import { SAFE_METHODS } from '../http/safe-methods.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * When the request arrived, in monotonic milliseconds; undefined if the router has refused it, or with
     * LOG_REQUESTS=none.
     */
    receivedAt: number | undefined;
  }
}

type LogSettings = Pick<Env, 'LOG_REQUESTS' | 'SLOW_MS'>;

export type RequestLogger = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Logs a line for each request that LOG_REQUESTS selects: id (bound to the request's logger), method, route
 * pattern, status and milliseconds. It logs the pattern instead of the URL, so that no slug, id or query is
 * logged.
 *
 * @returns a function to call after the response; null with LOG_REQUESTS=none
 */
export function requestLogger({ LOG_REQUESTS, SLOW_MS }: LogSettings): RequestLogger | null {
  if (LOG_REQUESTS === 'none') return null;
  return (request, reply) => {
    if (LOG_REQUESTS === 'all' || isNotable(request, reply, SLOW_MS)) logRequest(request, reply);
  };
}

/**
 * Logs the requests that LOG_REQUESTS selects, if their responses pass `onSend`; the response cache logs its
 * hits itself. A listener for `finish`, added in `onSend`, costs less than an `onResponse` hook, which would
 * take a tenth of the time of a cached response.
 */
export function registerRequestLog(fastify: FastifyInstance, settings: LogSettings): void {
  fastify.decorateRequest('receivedAt', undefined);
  const log = requestLogger(settings);
  if (!log) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.receivedAt = performance.now();
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    reply.raw.once('finish', () => log(request, reply));
    done(null, payload);
  });
}

function isNotable(request: FastifyRequest, reply: FastifyReply, slowMs: number): boolean {
  return !SAFE_METHODS.has(request.method) || reply.statusCode >= 400 || msSince(request) > slowMs;
}

/** Milliseconds since the request arrived; 0 without `receivedAt`. */
function msSince({ receivedAt }: FastifyRequest): number {
  return receivedAt === undefined ? 0 : performance.now() - receivedAt;
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? '(none)',
      status: reply.statusCode,
      ms: Math.round(msSince(request) * 10) / 10,
    },
    'request',
  );
}
