import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Send } from '../conditional/conditional-get.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { UnansweredError, type ErrorDetails } from '../errors/api.errors.js';
import { takesBody } from '../input/body-headers.js';

/** How long the server may work on a request, not counting the arrival of its body. */
export const DEADLINE_MS = 5_000;

/** Interval of the check, so a request may be up to that much late. */
const SWEEP_MS = 250;

declare module 'fastify' {
  interface FastifyRequest {
    /** Start of the work in monotonic milliseconds, plus the time in which the body arrived. */
    workedOnSince: number;
  }
}

/**
 * Responds 503 to a request that takes longer than the deadline, whatever its guards, its handler or
 * the driver's retries wait for. The work itself cannot be cancelled, so the response to a write says
 * that it may have happened. A later response of the handler is dropped.
 *
 * One timer checks all open requests. A timer for each, such as Fastify's `handlerTimeout`, would
 * cost more and would run while a body arrives. These are hooks of the routes, after that of the
 * response cache, so a cached response does not pay for them.
 */
export function registerDeadline(
  fastify: FastifyInstance,
  { deadlineMs = DEADLINE_MS, sweepMs = SWEEP_MS } = {},
): void {
  const open = new Map<FastifyReply, FastifyRequest>();
  fastify.decorateRequest('workedOnSince', 0);

  const start = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    request.workedOnSince = performance.now();
    open.set(reply, request);
    done();
  };
  const pause: Send = (request, reply, payload, done) => {
    open.delete(reply);
    // Until `resume`, this holds minus the milliseconds of work so far.
    request.workedOnSince -= performance.now();
    done(null, payload);
  };
  const resume = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    request.workedOnSince += performance.now();
    open.set(reply, request);
    done();
  };

  fastify.addHook('onRoute', (route) => {
    prepend(route, 'onRequest', start);
    if (takesBody(route)) {
      prepend(route, 'preParsing', pause);
      prepend(route, 'preValidation', resume);
    }
  });
  const timer = setInterval(() => {
    const latest = performance.now() - deadlineMs;
    for (const [reply, { workedOnSince, method }] of open) {
      const isAnswered = reply.sent || reply.raw.headersSent;
      const isLate = workedOnSince <= latest;
      if (isAnswered || isLate) open.delete(reply);
      if (!isAnswered && isLate) giveUp(reply, method);
    }
  }, sweepMs);
  timer.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

function giveUp(reply: FastifyReply, method: string): void {
  const error = new UnansweredError('the request took too long', method);
  const { message, code, headers = {} } = error.getResponse() as ErrorDetails;
  void reply
    .status(error.getStatus())
    .headers(headers)
    .send(errorEnvelope(503, message, code));
  // The response of the handler, if it comes, must not be sent as a second one.
  reply.send = () => reply;
}

type Hook = 'onRequest' | 'preParsing' | 'preValidation';

/** An automatic HEAD route has the hooks of its GET already. */
function prepend<Name extends Hook>(route: RouteOptions, name: Name, hook: unknown): void {
  const hooks: unknown[] = [route[name] ?? []].flat();
  if (!hooks.includes(hook)) Object.assign(route, { [name]: [hook, ...hooks] });
}
