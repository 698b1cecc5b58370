import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { ApiKeyService } from '../apikey/api-key.service.js';
import { matchingTag } from '../common/http/conditional/conditional-get.js';
import { preferredCoding, type Coding } from '../common/http/conditional/content-coding.js';
import type { CachedRoute } from '../common/http/cached.decorator.js';
import { requestLogger, type RequestLogger } from '../common/logging/request-log.js';
import type { Env } from '../config/env.js';
import type { Change } from '../cache/changes.js';
import type { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { Cache, type Beginning } from '../cache/cache.js';
import {
  captureResponse,
  compressed,
  isWorthCompressing,
  notModifiedHeaders,
  sizeOf,
  withRequestId,
  type Answer,
} from './stored-response.js';
import { keyReader } from './response-key.js';

/** What is noted of a request that the lane could not answer, for the one who sends the answer. */
interface Fill {
  readonly key: string;
  /** Before the handler ran. */
  readonly since: Beginning;
  dependsOn: readonly Change[] | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    fill: Fill | null;
  }
}

const MIB = 1_048_576;

/** Compressions at once: they share their threads with the rest of the process. */
const MAX_COMPRESSIONS = 1;

/** From the second answer from memory on, an answer is worth compressing. */
const USES_BEFORE_COMPRESSION = 2;

type ResponseCacheSettings = Pick<Env, 'CACHE_MB' | 'CORS_ORIGINS' | 'LOG_REQUESTS' | 'SLOW_MS'>;

type Serve = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Answers hot reads with the bytes that the pipeline has sent before (design, section 4). It decides
 * nothing: the key is checked by the service that the guard asks, and what may still be sent is the
 * memory's to say. Whatever is unusual about a request sends it the long way.
 */
export class ResponseCache {
  private answers: Cache<Answer> | null = null;
  private apiKeys: ApiKeyService | null = null;
  private readonly compressions = pLimit(MAX_COMPRESSIONS);
  private readonly underway = new Set<string>();
  private readonly maxBytes: number;
  private readonly origins: ReadonlySet<string>;
  private readonly log: RequestLogger | null;

  constructor({ CACHE_MB, CORS_ORIGINS, LOG_REQUESTS, SLOW_MS }: ResponseCacheSettings) {
    // Nothing that it answers is notable.
    this.log = LOG_REQUESTS === 'all' ? requestLogger({ LOG_REQUESTS, SLOW_MS }) : null;
    this.maxBytes = CACHE_MB * MIB;
    // Answers differ by origin only where some origins are allowed and others are not.
    this.origins = new Set(CORS_ORIGINS.includes('*') ? [] : CORS_ORIGINS);
  }

  /** Before any route is registered. */
  register(fastify: FastifyInstance): void {
    fastify.decorateRequest('fill', null);
    if (this.maxBytes === 0) return;
    fastify.addHook('onRoute', (route) => {
      const { hot } = route.config ?? {};
      if (!hot) return;
      const serve = this.serverOf(route.url, hot);
      route.onRequest = [serve, ...[route.onRequest ?? []].flat()];
      if (hot.shows === 'one blog') route.preSerialization = noteBlog;
    });
  }

  /** Once the application's services exist. */
  open(coherence: CacheCoherenceService, apiKeys: ApiKeyService): void {
    if (this.maxBytes === 0) return;
    this.apiKeys = apiKeys;
    this.answers = new Cache(coherence, {
      areas: ['articles', 'lists'],
      bounds: { maxBytes: this.maxBytes, sizeOf },
    });
  }

  /** Between the tag and the 304 of a conditional read: keeps the answer that is about to be sent. */
  readonly capture = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    const { fill } = request;
    if (fill && reply.statusCode === 200 && typeof payload === 'string') {
      const value = captureResponse(reply, payload);
      const { key, dependsOn, since } = fill;
      if (value) this.answers?.store(key, { value, dependsOn }, since);
    }
    done(null, payload);
  };

  private serverOf(url: string, hot: CachedRoute): Serve {
    const keyOf = keyReader(url, hot, this.origins);
    const area = hot.shows === 'one blog' ? 'articles' : 'lists';
    return (request, reply, done) => {
      const { answers, apiKeys } = this;
      const key = keyOf(request);
      if (key === null || !answers || !apiKeys) {
        done();
        return;
      }
      const apiKey = request.raw.headers['x-api-key'];
      if (typeof apiKey === 'string' && apiKeys.isKnown(apiKey)) {
        const answer = answers.peek(key);
        if (answer) {
          this.send(request, reply, key, answer);
          return;
        }
      }
      request.fill = { key, since: answers.begin(area), dependsOn: null };
      done();
    };
  }

  private send(request: FastifyRequest, reply: FastifyReply, key: string, answer: Answer): void {
    const { headers } = request.raw;
    const { raw } = reply;
    reply.hijack();
    answer.uses += 1;
    if (this.log) raw.once('finish', () => this.log?.(request, reply));
    const known = headers['if-none-match'];
    const accepted = headers['accept-encoding'];
    const match = known === undefined ? null : matchingTag(known, answer.tag, accepted);
    if (match !== null) {
      raw.writeHead(304, withRequestId(notModifiedHeaders(answer, match), request.id)).end();
      return;
    }
    const coding = preferredCoding(accepted);
    const form = (coding && answer.coded[coding]) ?? answer.plain;
    raw.writeHead(200, withRequestId(form.headers, request.id)).end(form.body);
    if (coding && !answer.coded[coding] && answer.uses >= USES_BEFORE_COMPRESSION) {
      this.compress(key, answer, coding);
    }
  }

  /** In the background; whoever asks meanwhile gets the plain bytes. */
  private compress(key: string, answer: Answer, coding: Coding): void {
    const task = `${coding} ${key}`;
    if (this.underway.has(task) || !isWorthCompressing(answer)) return;
    this.underway.add(task);
    void this.compressions(() => compressed(answer, coding))
      .then((next) => this.answers?.replace(key, answer, next))
      // The plain bytes are as good; a rejection that nobody handles would end the process.
      .catch(() => undefined)
      .finally(() => this.underway.delete(task));
  }
}

/** An article is forgotten when its blog or its author changes, and with no other one. */
function noteBlog(
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const { data } = payload as { data?: { _id: string; author: { _id: string } } };
  if (request.fill && data) {
    request.fill.dependsOn = [
      { of: 'blog', id: data._id },
      { of: 'author', id: data.author._id },
    ];
  }
  done(null, payload);
}
