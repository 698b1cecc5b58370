import type { IncomingMessage } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RouteOptions,
} from 'fastify';
import type { OnSendHook } from '../http/conditional/conditional-get.js';
import type { Release } from './bulkhead/bulkhead.js';
import { clientPrefixFrom } from '../http/client-address/client-prefix.js';
import { errorEnvelope } from '../http/envelope/envelope.js';
import { commonHeaders } from '../http/headers/common-headers.js';
import { DEFAULT_BODY_LIMIT } from '../http/input/body-limit.js';
import { announcesBody, takesBody } from '../http/input/body-headers.js';
import type { Env } from '../config/env.js';
import { LoadLimit, type Work } from './load-limit.js';
import { OverloadedError } from './overload.errors.js';
import {
  classOfRoute,
  isExpensiveList,
  type ClassByRoute,
  type RequestClass,
} from './request-class.js';

/** Interval of the warnings, in milliseconds. */
const WARN_MS = 10_000;

type Done = (error?: Error) => void;
type Hook = (request: FastifyRequest, reply: FastifyReply, done: Done) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether the request has waited for the slot of an expensive read. The response cache may have stored
     * its answer meanwhile.
     */
    hasWaited: boolean;
  }
}

/**
 * Adds the hook that refuses requests under overload (docs/adr/0017), before any other work on them. The
 * response cache answers before this hook, so that its hits are never refused.
 *
 * A request that is let in passes these steps:
 *
 * 1. It counts as in flight in its class.
 * 2. An expensive read waits for its slot.
 * 3. It waits for its turn in the start queue, and the other hooks and the handler follow.
 * 4. While its body arrives, and once its response is being sent, it does not count: waiting for a slow
 *    client is no work.
 *
 * Call this function after the deadline is registered, and before the response cache is: each puts its hook
 * before those of a route, so the last one that is registered runs first.
 *
 * @param classByRoute the routes whose class does not follow from their method
 */
export function registerLoadShedding(
  app: NestFastifyApplication,
  fastify: FastifyInstance,
  { CORS_ORIGINS }: Pick<Env, 'CORS_ORIGINS'>,
  classByRoute: ClassByRoute,
): void {
  const load = app.get(LoadLimit);
  const refuse = refuserOf(CORS_ORIGINS);
  /** The work of each request that was let in. */
  const works = new WeakMap<FastifyRequest, Work>();
  /** The functions that free the slots of expensive reads. */
  const slots = new WeakMap<FastifyRequest, Release>();
  fastify.decorateRequest('hasWaited', false);

  const end = (request: FastifyRequest): void => {
    const work = works.get(request);
    if (work) load.end(work);
    slots.get(request)?.();
    slots.delete(request);
  };
  const start = (request: FastifyRequest, { clientPrefix }: Work, done: Done): void => {
    load.starts.add(clientPrefix, () => {
      // A client that has disconnected would not get the answer.
      if (!request.raw.socket.destroyed) done();
    });
  };
  const startExpensive = (request: FastifyRequest, work: Work, done: Done): void => {
    const { expensiveReads } = load;
    const free = expensiveReads.tryAcquire(work.clientPrefix);
    if (free) {
      slots.set(request, free);
      start(request, work, done);
      return;
    }
    request.hasWaited = true;
    expensiveReads.acquire(work.clientPrefix).then((release) => {
      // The work has ended if the client has disconnected meanwhile.
      if (!load.isWorkedOn(work)) return release();
      slots.set(request, release);
      start(request, work, done);
    }, done);
  };

  const shedHooks = new WeakSet<Hook>();
  fastify.addHook('onRoute', (route) => {
    const routeClass = route.config?.access ? classOfRoute(route, classByRoute) : null;
    const hooks = [route.onRequest ?? []].flat() as Hook[];
    // Fastify's automatic HEAD route already has the hooks of its GET route.
    if (routeClass === null || hooks.some((hook) => shedHooks.has(hook))) return;
    const classOf = classifierOf(route, routeClass);
    const shed: Hook = (request, reply, done) => {
      const requestClass = classOf(request);
      const work = { requestClass, clientPrefix: clientPrefixFrom(request) };
      if (load.refuses(work)) {
        refuse(request, reply, done);
        return;
      }
      // If the client has already disconnected, no event would end the work.
      if (request.raw.socket.destroyed) return;
      works.set(request, work);
      load.begin(work);
      // If the client disconnects, no response is sent, and `onSend` does not end the work.
      reply.raw.once('close', () => end(request));
      if (requestClass === 'costly-read') startExpensive(request, work, done);
      else start(request, work, done);
    };
    shedHooks.add(shed);
    route.onRequest = [shed, ...hooks];
    if (!takesBody(route)) return;
    const pauseForBody: preParsingHookHandler = (request, _reply, payload, done) => {
      end(request);
      done(null, payload);
    };
    const resume: Hook = (request, _reply, done) => {
      const work = works.get(request);
      if (work && !request.raw.socket.destroyed) load.begin(work);
      done();
    };
    route.preParsing = [pauseForBody, ...[route.preParsing ?? []].flat()];
    route.preValidation = [resume, ...[route.preValidation ?? []].flat()] as Hook[];
  });
  const endWithResponse: OnSendHook = (request, _reply, payload, done) => {
    end(request);
    done(null, payload);
  };
  fastify.addHook('onSend', endWithResponse);

  const timer = setInterval(warner(fastify, load), WARN_MS);
  timer.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

/**
 * Returns a function that finds the class of a request to the route. Whether a list is expensive depends on
 * the query.
 */
function classifierOf(
  { config }: RouteOptions,
  routeClass: RequestClass,
): (request: FastifyRequest) => RequestClass {
  const mayBeExpensive = config?.cached?.query.includes('total') ?? false;
  return mayBeExpensive
    ? ({ query }) => (isExpensiveList(query as object) ? 'costly-read' : routeClass)
    : () => routeClass;
}

/**
 * Makes the hook that refuses a request. Thousands of requests may have to be refused in a second,
 * so the response is made beforehand and sent without the pipeline. The connection stays open: Node
 * discards the rest of a small body. A request with a large body is refused by the usual error,
 * which ends its connection.
 */
function refuserOf(origins: readonly string[]): Hook {
  const error = new OverloadedError();
  const status = error.getStatus();
  const { headers, ...members } = error.getResponse();
  const body = JSON.stringify(errorEnvelope(status, members));
  const fixed = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const headersOf = commonHeaders(origins);
  return (request, reply, done) => {
    if (!bodyEndsSoon(request.raw)) {
      done(new OverloadedError());
      return;
    }
    reply.hijack();
    const common = headersOf(request.id, request.headers.origin);
    reply.raw.writeHead(status, { ...common, ...fixed }).end(body);
  };
}

/**
 * Whether the body has arrived or is small, or there is none. Returns false if a client that sent `Expect` has
 * not sent the body yet, because it may never do so.
 */
function bodyEndsSoon(raw: IncomingMessage): boolean {
  if (!announcesBody(raw) || raw.complete) return true;
  const { 'content-length': length, expect } = raw.headers;
  return expect === undefined && Number(length) <= DEFAULT_BODY_LIMIT;
}

/**
 * Returns a function that logs how many requests were refused since its last call. A line for each refusal
 * would cost as much as an answer.
 */
function warner(fastify: FastifyInstance, { refusals }: LoadLimit): () => void {
  let previous = { ...refusals };
  return () => {
    const increases = Object.entries(refusals).map(
      ([name, count]) => [name, count - previous[name as RequestClass]] as const,
    );
    previous = { ...refusals };
    const refused = Object.fromEntries(increases.filter(([, count]) => count > 0));
    if (Object.keys(refused).length === 0) return;
    fastify.log.warn({ refused }, 'overloaded: requests were refused, counted here by class');
  };
}
