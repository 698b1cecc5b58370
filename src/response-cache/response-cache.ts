import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import pLimit from 'p-limit';
import type { ApiKeyService } from '../apikey/api-key.service.js';
import type { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { Cache, type FillStart } from '../cache/cache.js';
import type { CacheDependency } from '../common/cache-subject.js';
import type { CachedRoute, RouteDependency } from '../common/http/cached.decorator.js';
import { matchingTag } from '../common/http/conditional/conditional-get.js';
import { preferredCoding, type Coding } from '../common/http/conditional/content-coding.js';
import { requestLogger, type RequestLogger } from '../common/logging/request-log.js';
import type { Env } from '../config/env.js';
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

/** Noted of a request that the cache could not answer, to store the answer of the pipeline. */
interface CacheFill {
  readonly key: string;
  /** Before the handler ran. */
  readonly since: FillStart;
  dependsOn: readonly CacheDependency[] | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    cacheFill: CacheFill | null;
  }
}

const MIB = 1_048_576;

/** Compressions at a time: they share their threads with the rest of the process. */
const MAX_COMPRESSIONS = 1;

/** An answer is compressed when it is served from the cache for the second time. */
const USES_BEFORE_COMPRESSION = 2;

type ResponseCacheSettings = Pick<Env, 'CACHE_MB' | 'CORS_ORIGINS' | 'LOG_REQUESTS' | 'SLOW_MS'>;

type Serve = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Answers public reads with the bytes that the pipeline has sent before, ahead of the pipeline
 * (docs/adr/0007). It decides nothing by itself: it asks the same service for the API key as the guard
 * does, and the cache for what may still be served. It leaves every request that is unusual in any way
 * to the pipeline.
 */
export class ResponseCache {
  private responses: Cache<StoredResponse> | null = null;
  private readonly compressions = pLimit(MAX_COMPRESSIONS);
  private readonly compressing = new Set<string>();
  private readonly maxBytes: number;
  private readonly origins: ReadonlySet<string>;
  private readonly log: RequestLogger | null;

  constructor({ CACHE_MB, CORS_ORIGINS, LOG_REQUESTS, SLOW_MS }: ResponseCacheSettings) {
    // `notable` logs errors and slow answers, which a cached answer never is.
    this.log = LOG_REQUESTS === 'all' ? requestLogger({ LOG_REQUESTS, SLOW_MS }) : null;
    this.maxBytes = CACHE_MB * MIB;
    // Answers differ by origin only where some origins are allowed and others are not.
    this.origins = new Set(CORS_ORIGINS.includes('*') ? [] : CORS_ORIGINS);
  }

  /**
   * Puts the cache before the hooks that the routes have so far. To be called after all other plugins,
   * and before the application registers its routes.
   */
  register(
    fastify: FastifyInstance,
    coherence: CacheCoherenceService,
    apiKeys: ApiKeyService,
  ): void {
    fastify.decorateRequest('cacheFill', null);
    if (this.maxBytes === 0) return;
    const responses = new Cache<StoredResponse>(coherence, {
      dependsOn: [],
      bounds: { maxBytes: this.maxBytes, sizeOf },
    });
    this.responses = responses;
    fastify.addHook('onRoute', (route) => {
      const { cached } = route.config ?? {};
      if (!cached) return;
      const serve = this.serverOf(route, cached, responses, apiKeys);
      route.onRequest = [serve, ...[route.onRequest ?? []].flat()];
      const noteRecords = recordNoter(cached.dependsOn);
      if (noteRecords) route.preSerialization = noteRecords;
    });
  }

  /**
   * Stores the answer that is about to be sent. An `onSend` hook: after the ETag was made, and before a
   * conditional request shrinks the answer to a 304.
   */
  readonly capture = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    const { cacheFill } = request;
    if (cacheFill && reply.statusCode === 200 && typeof payload === 'string') {
      const value = captureResponse(reply, payload);
      const { key, dependsOn, since } = cacheFill;
      if (value) this.responses?.store(key, { value, dependsOn }, since);
    }
    done(null, payload);
  };

  private serverOf(
    { url }: RouteOptions,
    cached: CachedRoute,
    responses: Cache<StoredResponse>,
    apiKeys: ApiKeyService,
  ): Serve {
    const keyOf = keyReader(url, cached, this.origins);
    const generation = responses.follow(cached.dependsOn.map(({ subject }) => subject));
    return (request, reply, done) => {
      const key = keyOf(request);
      if (key === null) {
        done();
        return;
      }
      const apiKey = request.raw.headers['x-api-key'];
      if (typeof apiKey === 'string' && apiKeys.isKnown(apiKey)) {
        const response = responses.peek(key);
        if (response) {
          this.send(request, reply, key, response);
          return;
        }
      }
      request.cacheFill = { key, since: responses.begin(generation), dependsOn: null };
      done();
    };
  }

  private send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    response: StoredResponse,
  ): void {
    const { headers } = request.raw;
    const { raw } = reply;
    reply.hijack();
    response.uses += 1;
    if (this.log) raw.once('finish', () => this.log?.(request, reply));
    const known = headers['if-none-match'];
    const accepted = headers['accept-encoding'];
    const match = known === undefined ? null : matchingTag(known, response.tag, accepted);
    if (match !== null) {
      raw.writeHead(304, withRequestId(notModifiedHeaders(response, match), request.id)).end();
      return;
    }
    const coding = preferredCoding(accepted);
    const form = (coding && response.coded[coding]) ?? response.plain;
    raw.writeHead(200, withRequestId(form.headers, request.id)).end(form.body);
    if (coding && !response.coded[coding] && response.uses >= USES_BEFORE_COMPRESSION) {
      this.compress(key, response, coding);
    }
  }

  /** In the background; requests are answered with the plain bytes meanwhile. */
  private compress(key: string, response: StoredResponse, coding: Coding): void {
    const task = `${coding} ${key}`;
    if (this.compressing.has(task) || !isWorthCompressing(response)) return;
    this.compressing.add(task);
    void this.compressions(() => compressed(response, coding))
      .then((next) => this.responses?.replace(key, response, next))
      // The plain bytes serve as well. An unhandled rejection would end the process.
      .catch(() => undefined)
      .finally(() => this.compressing.delete(task));
  }
}

type PreSerialization = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) => void;

/**
 * @returns a hook that notes which records the answer shows; null for a route whose answers depend on
 *   every record of a subject
 */
function recordNoter(dependsOn: readonly RouteDependency<never>[]): PreSerialization | null {
  const finders = dependsOn.flatMap(({ subject, idIn }) => (idIn ? [{ subject, idIn }] : []));
  if (finders.length < dependsOn.length) return null;
  return (request, _reply, payload, done) => {
    // Only the route's own handler knows the type of its data; an error has none.
    const { data } = payload as { data?: never };
    if (request.cacheFill && data !== undefined) {
      request.cacheFill.dependsOn = finders.map(({ subject, idIn }) => subject.record(idIn(data)));
    }
    done(null, payload);
  };
}
