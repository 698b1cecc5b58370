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
import { LoadLimit } from './load-limit.js';
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

interface Counted {
  readonly requestClass: RequestClass;
  /**
   * Client prefix of the request, kept here because a closed connection no longer tells its
   * address.
   */
  readonly clientPrefix: string;
  /** Frees the slot of an expensive read, once it has got one. */
  release?: Release;
}

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * What LoadLimit counts the request as, while it is worked on. It is null while the request is
     * not worked on, and undefined for a route that was registered before this hook, such as that
     * of preflights.
     */
    countedAs: Counted | null | undefined;
  }
}

/**
 * Refuses requests under overload (docs/adr/0017), before any other work on them. The response cache
 * answers before this hook, so that its hits are never refused.
 *
 * Call it after the deadline and before the response cache are registered.
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
  fastify.decorateRequest('countedAs', null);

  const begin = (
    request: FastifyRequest,
    requestClass: RequestClass,
    clientPrefix: string,
  ): void => {
    // A destroyed connection emits no event that would end the count.
    if (request.raw.socket.destroyed) return;
    request.countedAs = { requestClass, clientPrefix };
    load.begin(requestClass, clientPrefix);
  };
  const pause = (request: FastifyRequest): void => {
    const { countedAs } = request;
    if (!countedAs) return;
    load.end(countedAs.requestClass, countedAs.clientPrefix);
    countedAs.release?.();
    request.countedAs = null;
  };
  const startExpensive = (
    request: FastifyRequest,
    clientPrefix: string,
    start: () => void,
    done: Done,
  ): void => {
    load.expensiveReads.acquire(clientPrefix).then((release) => {
      // The request was answered meanwhile, or its client has gone.
      if (!request.countedAs) return release();
      request.countedAs.release = release;
      start();
    }, done);
  };
  const end: OnSendHook = (request, _reply, payload, done) => {
    pause(request);
    done(null, payload);
  };
  // A response that is sent no longer counts: waiting for a slow reader is no work.
  fastify.addHook('onSend', end);

  const added = new WeakSet<Hook>();
  fastify.addHook('onRoute', (route) => {
    const routeClass = route.config?.access ? classOfRoute(route, classByRoute) : null;
    const hooks = [route.onRequest ?? []].flat() as Hook[];
    // An automatic HEAD route has the hooks of its GET already.
    if (routeClass === null || hooks.some((hook) => added.has(hook))) return;
    const classOf = classifierOf(route, routeClass);
    const shed: Hook = (request, reply, done) => {
      const requestClass = classOf(request);
      const clientPrefix = clientPrefixFrom(request);
      if (load.refuses(requestClass, clientPrefix)) {
        refuse(request, reply, done);
        return;
      }
      begin(request, requestClass, clientPrefix);
      // A client that disconnects gets no response, so `onSend` would not end the count.
      reply.raw.once('close', () => pause(request));
      const start = () =>
        load.starts.add(clientPrefix, () => {
          // The client has gone, so nobody would get the answer.
          if (!request.raw.socket.destroyed) done();
        });
      if (requestClass === 'costly-read') startExpensive(request, clientPrefix, start, done);
      else start();
    };
    added.add(shed);
    route.onRequest = [shed, ...hooks];
    if (!takesBody(route)) return;
    const resume: Hook = (request, _reply, done) => {
      begin(request, routeClass, clientPrefixFrom(request));
      done();
    };
    // A request does not count while its body arrives: waiting for a slow sender is no work either.
    const pauseForBody: preParsingHookHandler = (request, _reply, payload, done) => {
      pause(request);
      done(null, payload);
    };
    route.preParsing = [pauseForBody, ...[route.preParsing ?? []].flat()];
    route.preValidation = [resume, ...[route.preValidation ?? []].flat()] as Hook[];
  });

  const timer = setInterval(warner(fastify, load), WARN_MS);
  timer.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(timer);
    done();
  });
}

/** Finds the class of a request. Only its query decides whether a list is expensive. */
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
    if (!endsSoon(request.raw)) {
      done(new OverloadedError());
      return;
    }
    reply.hijack();
    const common = headersOf(request.id, request.headers.origin);
    reply.raw.writeHead(status, { ...common, ...fixed }).end(body);
  };
}

/**
 * Whether the rest of the body is small, or there is none. It is unknown for a client that waits
 * for 100, which may send the body or not.
 */
function endsSoon(raw: IncomingMessage): boolean {
  if (!announcesBody(raw) || raw.complete) return true;
  const { 'content-length': length, expect } = raw.headers;
  return expect === undefined && Number(length) <= DEFAULT_BODY_LIMIT;
}

/** Logs the refusals since the last line. A line for each refusal would cost as much as an answer. */
function warner(fastify: FastifyInstance, { refusals }: LoadLimit): () => void {
  let known = { ...refusals };
  return () => {
    const news = Object.entries(refusals).map(
      ([name, count]) => [name, count - known[name as RequestClass]] as const,
    );
    known = { ...refusals };
    const refused = Object.fromEntries(news.filter(([, count]) => count > 0));
    if (Object.keys(refused).length === 0) return;
    fastify.log.warn({ refused }, 'overloaded: requests were refused, counted here by class');
  };
}
