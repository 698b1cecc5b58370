import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preSerializationHookHandler,
} from 'fastify';
import pLimit from 'p-limit';
import type { CacheCoherenceService } from '../cache-coherence.service.js';
import { Cache, type ReadStart } from '../cache.js';
import type { CacheDependency } from '../cache-subject.js';
import type { RouteDependency } from '../../http/cached.decorator.js';
import { matchingTag, type OnSendHook } from '../../http/conditional/conditional-get.js';
import { preferredCoding, type Coding } from '../../http/conditional/content-coding.js';
import { requestLogger } from '../../logging/request-log.js';
import type { Env } from '../../config/env.js';
import type { Access } from '../../http/access/access.decorator.js';
import { keyReader } from './response-key.js';
import {
  captureResponse,
  isWorthCompressing,
  notModifiedHeaders,
  sizeOf,
  withCompressedForm,
  withRequestId,
  type StoredResponse,
} from './stored-response.js';

/** What is needed to store the pipeline's response to a request that the cache could not answer. */
interface CacheFill {
  readonly key: string;
  /** The moment when the cache passed the request on to the pipeline. */
  readonly readStart: ReadStart;
  /** The records that the answer depends on. */
  dependsOn: readonly CacheDependency[];
}

declare module 'fastify' {
  interface FastifyRequest {
    cacheFill: CacheFill | null;
  }
}

/** Name of the response cache in the metrics. */
export const RESPONSES = 'responses';

const MIB = 1_048_576;

/**
 * Largest number of compressions at a time. Compressions run on libuv's threads, which other work of the
 * process needs too.
 */
const MAX_COMPRESSIONS = 1;

/** Number of times that an answer must have been served from the cache before it is compressed. */
const USES_BEFORE_COMPRESSION = 2;

export interface ResponseCache {
  /** The hooks that store answers, to be run where `registerResponseCache` says. */
  readonly onSend: readonly OnSendHook[];
  /** Number of hits that were answered 304, since the start. */
  readonly counts: { readonly notModified: number };
}

type Serve = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Answers public reads with bytes that Nest's pipeline has sent before, without running the
 * pipeline again (docs/adr/0007). Two conditions must hold: the stored response may still be served, and, if
 * the route needs an API key, the key of the request is known to be valid and to open the route. Otherwise the
 * request goes on to the pipeline. A request without a cache key (see `keyReader`) always goes to the pipeline.
 *
 * The function prepends a hook to the `onRequest` hooks of each cached route. Call it after all other plugins
 * are registered, and before Nest registers the routes.
 *
 * @param opensByKey whether an `x-api-key` header, as received, is known to be valid now, and to have a scope of
 *   the route
 * @returns the cache, with `onSend` hooks that store an answer. These hooks must run after the answer has
 *   got its ETag, and before a conditional request turns the answer into a 304
 */
export function registerResponseCache(
  fastify: FastifyInstance,
  { CACHE_MB, CORS_ORIGINS, LOG_REQUESTS, SLOW_MS }: Env,
  coherence: CacheCoherenceService,
  opensByKey: (presented: string | readonly string[] | undefined, access: Access) => boolean,
): ResponseCache {
  const counts = { notModified: 0 };
  if (CACHE_MB === 0) return { onSend: [], counts };
  // `notable` logs writes, errors and slow answers. An answer from the cache is none of these.
  const log = LOG_REQUESTS === 'all' ? requestLogger({ LOG_REQUESTS, SLOW_MS }) : null;
  // If every origin is allowed, the response does not depend on the origin.
  const origins = new Set(CORS_ORIGINS.includes('*') ? [] : CORS_ORIGINS);
  const responses = new Cache<StoredResponse>(coherence, {
    name: RESPONSES,
    dependsOn: [],
    bounds: { maxBytes: CACHE_MB * MIB, sizeOf },
  });
  const compress = compressor(responses);
  fastify.decorateRequest('cacheFill', null);
  fastify.addHook('onRoute', (route) => {
    const { cached, access } = route.config ?? {};
    if (!cached || !access) return;
    const keyOf = keyReader(route.url, cached, origins);
    const generation = responses.addSubjects(cached.dependsOn.map(({ subject }) => subject));
    // The answer depends on every record until `findRecords` has found the records that it shows.
    const everything = cached.dependsOn.map(({ subject }) => subject.all);
    const serve: Serve = (request, reply, done) => {
      const key = keyOf(request);
      if (key === null) return void done();
      if (!access.apiKey || opensByKey(request.raw.headers['x-api-key'], access)) {
        const response = responses.peek(key);
        if (response) {
          if (log) reply.raw.once('finish', () => log(request, reply));
          const missingCoding = send(request, reply, response, counts);
          if (missingCoding) compress(key, response, missingCoding);
          return;
        }
      }
      request.cacheFill = { key, readStart: responses.begin(generation), dependsOn: everything };
      done();
    };
    // While this request waited for a slot, the answer to an identical request may have been stored.
    const serveAfterWait: Serve = (request, reply, done) => {
      if (request.hasWaited) serve(request, reply, done);
      else done();
    };
    route.onRequest = [serve, ...[route.onRequest ?? []].flat(), serveAfterWait];
    const findRecords = recordFinder(cached.dependsOn);
    route.preSerialization = [findRecords, ...[route.preSerialization ?? []].flat()];
  });
  const store: OnSendHook = ({ cacheFill }, reply, payload, done) => {
    if (cacheFill && reply.statusCode === 200 && typeof payload === 'string') {
      const value = captureResponse(reply, payload);
      const { key, dependsOn, readStart } = cacheFill;
      if (value) responses.store(key, { value, dependsOn }, readStart);
    }
    done(null, payload);
  };
  return { onSend: [store], counts };
}

/**
 * Sends the stored response.
 *
 * @returns the coding that the client prefers, if the response should now be compressed with it; else null
 */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: StoredResponse,
  counts: { notModified: number },
): Coding | null {
  const { 'if-none-match': clientTags, 'accept-encoding': acceptedCodings } = request.raw.headers;
  const { raw } = reply;
  reply.hijack();
  response.uses += 1;
  const match =
    clientTags === undefined ? null : matchingTag(clientTags, response.tag, acceptedCodings);
  if (match !== null) {
    counts.notModified += 1;
    raw.writeHead(304, withRequestId(notModifiedHeaders(response, match), request.id)).end();
    return null;
  }
  const coding = preferredCoding(acceptedCodings);
  const form = (coding && response.coded[coding]) ?? response.plain;
  raw.writeHead(200, withRequestId(form.headers, request.id)).end(form.body);
  return coding && !response.coded[coding] && response.uses >= USES_BEFORE_COMPRESSION
    ? coding
    : null;
}

/**
 * Makes the function that compresses a stored response in the background. Until the compression has finished,
 * requests get the plain bytes.
 */
function compressor(
  responses: Cache<StoredResponse>,
): (key: string, response: StoredResponse, coding: Coding) => void {
  const limit = pLimit(MAX_COMPRESSIONS);
  const compressing = new Set<string>();
  return (key, response, coding) => {
    const task = `${coding} ${key}`;
    if (compressing.has(task) || !isWorthCompressing(response)) return;
    compressing.add(task);
    void limit(() => withCompressedForm(response, coding))
      .then((next) => responses.replace(key, response, next))
      // If the compression fails, the plain bytes stay in the cache. An unhandled rejection would end the
      // process.
      .catch(() => undefined)
      .finally(() => compressing.delete(task));
  };
}

/** Makes the hook that sets `CacheFill.dependsOn` to the records that an answer depends on. */
function recordFinder(dependsOn: readonly RouteDependency<never>[]): preSerializationHookHandler {
  return (request, _reply, payload, done) => {
    // The data has the type that `idsIn` of the route takes. The envelope of an error has no data.
    const { data } = payload as { data?: never };
    if (request.cacheFill && data !== undefined) {
      request.cacheFill.dependsOn = dependsOn.flatMap(({ subject, idsIn }) =>
        idsIn ? [...new Set(idsIn(data))].map((id) => subject.record(id)) : subject.all,
      );
    }
    done(null, payload);
  };
}
