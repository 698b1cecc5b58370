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
import { keyReader } from './response-key.js';
import {
  captureResponse,
  compressed,
  isWorthCompressing,
  notModifiedHeaders,
  sizeOf,
  withRequestId,
  type StoredResponse,
} from './stored-response.js';

/** The data for storing the pipeline's response to a request that the cache could not answer. */
interface CacheFill {
  readonly key: string;
  /** The moment before the handler ran. */
  readonly readStart: ReadStart;
  /** The records that the answer shows. */
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
 * Number of compressions at a time. They run on libuv's threads, which other work of the process
 * needs too.
 */
const MAX_COMPRESSIONS = 1;

/** Number of times that an answer is served from the cache before it is compressed. */
const USES_BEFORE_COMPRESSION = 2;

export interface ResponseCache {
  /** The hooks that store an answer: see `registerResponseCache`. */
  readonly onSend: readonly OnSendHook[];
  /** Number of hits that were answered 304, since the start. */
  readonly counts: { readonly notModified: number };
}

type Serve = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Answers public reads with bytes that Nest's pipeline has sent before, without running the
 * pipeline again (docs/adr/0007). It serves only what the cache protocol still allows, and where
 * the route needs an API key, only a request whose key is known to be valid. All other requests go
 * on to the pipeline: those with an unknown key, and those for which `keyReader` returns null.
 *
 * It puts the cache in front of the `onRequest` hooks of each cached route. Call it after all other
 * plugins, and before Nest registers the routes.
 *
 * @param isValidKey whether an `x-api-key` header, as received, is known to be valid now
 * @returns the cache, with `onSend` hooks that store an answer. They must run when the answer has
 *   its ETag, and before a conditional request turns it into a 304
 */
export function registerResponseCache(
  fastify: FastifyInstance,
  { CACHE_MB, CORS_ORIGINS, LOG_REQUESTS, SLOW_MS }: Env,
  coherence: CacheCoherenceService,
  isValidKey: (presented: string | readonly string[] | undefined) => boolean,
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
    if (!cached) return;
    const needsApiKey = access?.apiKey !== false;
    const keyOf = keyReader(route.url, cached, origins);
    const generation = responses.addSubjects(cached.dependsOn.map(({ subject }) => subject));
    // The answer depends on every record until `findRecords` has found those that it shows.
    const everything = cached.dependsOn.map(({ subject }) => subject.all);
    const serve: Serve = (request, reply, done) => {
      const key = keyOf(request);
      if (key === null) return void done();
      if (!needsApiKey || isValidKey(request.raw.headers['x-api-key'])) {
        const response = responses.peek(key);
        if (response) {
          if (log) reply.raw.once('finish', () => log(request, reply));
          const missing = send(request, reply, response, counts);
          if (missing) compress(key, response, missing);
          return;
        }
      }
      request.cacheFill = { key, readStart: responses.begin(generation), dependsOn: everything };
      done();
    };
    // The answer may be stored by now: others that asked the same came first.
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

/** @returns the coding that the client prefers, if the response should be compressed in it now */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: StoredResponse,
  counts: { notModified: number },
): Coding | null {
  const { 'if-none-match': known, 'accept-encoding': accepted } = request.raw.headers;
  const { raw } = reply;
  reply.hijack();
  response.uses += 1;
  const match = known === undefined ? null : matchingTag(known, response.tag, accepted);
  if (match !== null) {
    counts.notModified += 1;
    raw.writeHead(304, withRequestId(notModifiedHeaders(response, match), request.id)).end();
    return null;
  }
  const coding = preferredCoding(accepted);
  const form = (coding && response.coded[coding]) ?? response.plain;
  raw.writeHead(200, withRequestId(form.headers, request.id)).end(form.body);
  return coding && !response.coded[coding] && response.uses >= USES_BEFORE_COMPRESSION
    ? coding
    : null;
}

/** Compresses in the background. Requests get the plain bytes until it has finished. */
function compressor(
  responses: Cache<StoredResponse>,
): (key: string, response: StoredResponse, coding: Coding) => void {
  const limit = pLimit(MAX_COMPRESSIONS);
  const compressing = new Set<string>();
  return (key, response, coding) => {
    const task = `${coding} ${key}`;
    if (compressing.has(task) || !isWorthCompressing(response)) return;
    compressing.add(task);
    void limit(() => compressed(response, coding))
      .then((next) => responses.replace(key, response, next))
      // If it fails, the plain bytes stay in the cache. An unhandled rejection would end the
      // process.
      .catch(() => undefined)
      .finally(() => compressing.delete(task));
  };
}

/** Makes the hook that finds what an answer shows, for `CacheFill.dependsOn`. */
function recordFinder(dependsOn: readonly RouteDependency<never>[]): preSerializationHookHandler {
  return (request, _reply, payload, done) => {
    // The data has the type that the route's `idsIn` takes. The envelope of an error has no data.
    const { data } = payload as { data?: never };
    if (request.cacheFill && data !== undefined) {
      request.cacheFill.dependsOn = dependsOn.flatMap(({ subject, idsIn }) =>
        idsIn ? [...new Set(idsIn(data))].map((id) => subject.record(id)) : subject.all,
      );
    }
    done(null, payload);
  };
}
