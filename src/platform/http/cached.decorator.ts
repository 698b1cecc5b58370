import { RouteConfig } from '@nestjs/platform-fastify';
import type { CacheSubject } from '../caching/cache-subject.js';
import { CONDITIONAL } from './conditional/conditional-get.js';

/**
 * The records on which the answers of a route depend.
 *
 * @typeParam Data the value that the handler returns
 */
export interface RouteDependency<Data> {
  readonly subject: CacheSubject;
  /**
   * Returns the ids of the records that the data shows, each of 24 hexadecimal digits. If left out, the
   * answer depends on every record of the subject, as a list does.
   */
  readonly idsIn?: (data: Data) => readonly string[];
}

/** How the response cache keeps the answers of a public read. */
export interface CachedRoute<Data = never> {
  /** The name of the path parameter that the answer depends on. */
  readonly param?: string;
  /**
   * The query parameters that the answer depends on. A request with any other parameter is not
   * cached.
   */
  readonly query: readonly string[];
  /**
   * The records that the answer was read from. A change of one of them removes the answer from the
   * cache.
   */
  readonly dependsOn: readonly [RouteDependency<Data>, ...RouteDependency<Data>[]];
  /**
   * The names by which a CDN removes the answer (src/blog/public/lists/cache-tags.ts). They are sent if
   * the setting `PUBLIC_CACHE` is set.
   *
   * @param data what the handler returned
   * @param parameter the value of `param` in the path, as the router has decoded it; '' if the route has no
   *   `param`
   */
  readonly cacheTags: (data: Data, parameter: string) => readonly string[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rules of the response cache, set by `Cached`. */
    readonly cached?: CachedRoute;
  }
}

/** Adds an `ETag` and 304 responses to a public read, and lets the response cache answer it. */
export const Cached = <Data>(cached: CachedRoute<Data>): MethodDecorator =>
  RouteConfig({ ...CONDITIONAL, cached });
