import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { OnSendHook } from '../conditional/conditional-get.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { OutcomeUnknownError } from '../errors/api.errors.js';
import { takesBody } from '../input/body-headers.js';

/** Milliseconds that the server may work on a request, not counting the arrival of its body. */
const DEADLINE_MS = 5_000;

/** Interval of the check in milliseconds. A 503 may be sent up to this long after the deadline. */
const SWEEP_MS = 250;

declare module 'fastify' {
  interface FastifyRequest {
    /** Start of the work in monotonic milliseconds, plus the milliseconds in which the body arrived. */
    workStartedAt: number;
  }
}

/**
 * Responds 503 to a request that takes longer than the deadline, whether in a guard, in the handler or in a
 * retry of the driver. The work itself cannot be cancelled, so the response to a write says that it may have
 * happened. A later response of the handler is dropped.
 *
 * One timer checks all open requests. A timer for each request, such as Fastify's `handlerTimeout`, would
 * cost more and would run while a body arrives. The hooks are added to each route and run after the hook of
 * the response cache, so that cached responses skip them.
 */
export function registerDeadline(
  fastify: FastifyInstance,
  { deadlineMs = DEADLINE_MS, sweepMs = SWEEP_MS } = {},
): void {
  const openRequests = new Map<FastifyReply, FastifyRequest>();
  fastify.decorateRequest('workStartedAt', 0);

  const start = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    request.workStartedAt = performance.now();
    openRequests.set(reply, request);
    done();
  };
  const pause: OnSendHook = (request, reply, payload, done) => {
    openRequests.delete(reply);
    // While the body arrives, the value is negative: the milliseconds of work so far, with a minus sign.
    request.workStartedAt -= performance.now();
    done(null, payload);
  };
  const resume = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    request.workStartedAt += performance.now();
    openRequests.set(reply, request);
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
    const now = performance.now();
    for (const [reply, { workStartedAt, method, routeOptions }] of openRequests) {
      const isAnswered = reply.sent || reply.raw.headersSent;
      const isLate = workStartedAt <= now - (routeOptions.config.deadlineMs ?? deadlineMs);
      if (isAnswered || isLate) openRequests.delete(reply);
      if (!isAnswered && isLate) sendTimeoutError(reply, method);
    }
  }, sweepMs);
  timer.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

function sendTimeoutError(reply: FastifyReply, method: string): void {
  const error = new OutcomeUnknownError('the request took too long', method);
  const { headers = {}, ...members } = error.getResponse();
  const status = error.getStatus();
  void reply.status(status).headers(headers).send(errorEnvelope(status, members));
  // A response that the handler may still send is dropped.
  reply.send = () => reply;
}

type Hook = 'onRequest' | 'preParsing' | 'preValidation';

/**
 * Prepends a hook to the hooks of a route, unless it is there: Fastify's automatic HEAD route already has the
 * hooks of its GET route.
 */
function prepend<Name extends Hook>(route: RouteOptions, name: Name, hook: unknown): void {
  const hooks: unknown[] = [route[name] ?? []].flat();
  if (!hooks.includes(hook)) Object.assign(route, { [name]: [hook, ...hooks] });
}
