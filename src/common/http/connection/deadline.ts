import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { errorEnvelope } from '../envelope/envelope.js';
import { UnansweredError, type ErrorDetails } from '../errors/api.errors.js';

/** The server works on a request for so long at most; its body may arrive as slowly as it may. */
export const DEADLINE_MS = 5_000;

/** How much later than that a request may be noticed. */
const SWEEP_MS = 250;

declare module 'fastify' {
  interface FastifyRequest {
    /** Since when the server has worked on it, without the time in which its body came. */
    workedOnSince: number;
  }
}

/**
 * Answers 503 for a request that has waited too long for whatever it needs, around all that its
 * guards, its handler and the driver repeat. What they do cannot be called back: a read may be
 * repeated, and of a write the answer says that it may have happened. What they answer later goes
 * nowhere.
 *
 * One timer looks at all open requests. One for each, such as Fastify's `handlerTimeout`, would cost
 * every request more, and would run while a body arrives. It is a hook of each route, after
 * that of the response cache, so cached answers pay nothing for it.
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
  const pause = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    open.delete(reply);
    // Until `resume`, how long the server has worked on it.
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
    if (hasBody(route)) {
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
  // The handler may still answer, and has been answered for.
  reply.send = () => reply;
}

function hasBody({ method }: RouteOptions): boolean {
  return [method].flat().some((name) => name !== 'GET' && name !== 'HEAD');
}

type Hook = 'onRequest' | 'preParsing' | 'preValidation';

/** An automatic HEAD route brings the hooks of its GET along. */
function prepend<Name extends Hook>(route: RouteOptions, name: Name, hook: unknown): void {
  const hooks: unknown[] = [route[name] ?? []].flat();
  if (!hooks.includes(hook)) Object.assign(route, { [name]: [hook, ...hooks] });
}
