import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Env } from '../../config/env.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * One line per request: id (bound to the request's logger), method, route pattern, status and
 * time. The pattern rather than the address, so that no slug, id or query is logged.
 */
export function registerRequestLog(
  fastify: FastifyInstance,
  { LOG_REQUESTS, SLOW_MS }: Pick<Env, 'LOG_REQUESTS' | 'SLOW_MS'>,
): void {
  if (LOG_REQUESTS === 'none') return;
  fastify.addHook('onResponse', (request, reply, done) => {
    if (LOG_REQUESTS === 'all' || isNotable(request, reply, SLOW_MS)) logRequest(request, reply);
    done();
  });
}

function isNotable(request: FastifyRequest, reply: FastifyReply, slowMs: number): boolean {
  return !READS.has(request.method) || reply.statusCode >= 400 || reply.elapsedTime > slowMs;
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? '(none)',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  );
}
