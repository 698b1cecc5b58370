import type { FastifyInstance, preSerializationHookHandler } from 'fastify';
import type { Env } from '../../config/env.js';

/** The headers by which a successful public read tells caches how to store it. */
export interface CacheHeaders {
  readonly 'cache-control': string;
  readonly 'cdn-cache-control'?: string;
  readonly vary: string;
}

/**
 * Returns the headers that tell caches how to store public reads. Without `PUBLIC_CACHE`, every cache asks
 * the server before it uses its copy.
 *
 * With `PUBLIC_CACHE`, a shared cache (a CDN) uses its copy for that time without asking, and a browser still
 * asks. `Vary` names the API key, so that a CDN which does not check keys itself keeps one copy for each key.
 * The time of `PUBLIC_CACHE_STALE` is sent only in `CDN-Cache-Control` (RFC 9213), because browsers obey
 * `stale-while-revalidate` too, and nobody can purge their caches.
 */
export function publicCacheHeaders(env: Env): {
  readonly stored: CacheHeaders;
  /**
   * The headers for values that were read during a failover, which may be rolled back afterwards:
   * no cache stores them.
   */
  readonly notStored: CacheHeaders;
} {
  const stored = storedHeaders(env);
  return { stored, notStored: { 'cache-control': 'no-store', vary: stored.vary } };
}

function storedHeaders({ PUBLIC_CACHE, PUBLIC_CACHE_STALE }: Env): CacheHeaders {
  if (PUBLIC_CACHE === undefined) return { 'cache-control': 'no-cache', vary: 'Accept-Encoding' };
  const seconds = toSeconds(PUBLIC_CACHE);
  const stale = PUBLIC_CACHE_STALE === undefined ? null : toSeconds(PUBLIC_CACHE_STALE);
  return {
    'cache-control': `public, max-age=0, must-revalidate, s-maxage=${seconds}`,
    ...(stale === null
      ? {}
      : {
          'cdn-cache-control': `max-age=${seconds}, stale-while-revalidate=${stale}, stale-if-error=${stale}`,
        }),
    vary: 'X-API-Key, Accept-Encoding',
  };
}

/**
 * With `PUBLIC_CACHE`: adds `Cache-Tag` to the answers of public reads, so that a CDN can remove all answers
 * that show a certain article, author or tag. Call it before Nest registers the routes.
 */
export function registerCacheTags(fastify: FastifyInstance, { PUBLIC_CACHE }: Env): void {
  if (PUBLIC_CACHE === undefined) return;
  fastify.addHook('onRoute', (route) => {
    const { cached } = route.config ?? {};
    if (!cached) return;
    const { cacheTags, param } = cached;
    const addTags: preSerializationHookHandler = (request, reply, payload, done) => {
      // The data has the type that the route declares. The envelope of an error has no data.
      const { data } = payload as { data?: never };
      if (data !== undefined) {
        const parameters = request.params as Readonly<Record<string, string>>;
        const tags = cacheTags(data, param === undefined ? '' : (parameters[param] ?? ''));
        void reply.header('cache-tag', [...new Set(tags)].join(','));
      }
      done(null, payload);
    };
    route.preSerialization = [...[route.preSerialization ?? []].flat(), addTags];
  });
}

/**
 * Converts to whole seconds, the unit of HTTP. Rounds down, so that nothing is kept longer than the setting
 * says.
 */
function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
