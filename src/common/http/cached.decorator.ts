import { RouteConfig } from '@nestjs/platform-fastify';
import type { CacheSubject } from '../cache-subject.js';
import { CONDITIONAL } from './conditional/conditional-get.js';

/** @typeParam Data what the handler returns */
export interface RouteDependency<Data> {
  readonly subject: CacheSubject;
  /**
   * Finds the record of the subject in the data, 24 hexadecimal digits. Without it the answer depends
   * on every record of the subject, as a list does.
   */
  readonly idIn?: (data: Data) => string;
}

/** How the response cache keeps the answers of a public read. */
export interface CachedRoute<Data = never> {
  /** The path parameter that the answer depends on. */
  readonly param?: string;
  /** The query parameters that it depends on. A request with any other one is not cached. */
  readonly query: readonly string[];
  /** What it was read from: a change of it removes the answer from the cache. */
  readonly dependsOn: readonly [RouteDependency<Data>, ...RouteDependency<Data>[]];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** See `Cached`. */
    readonly cached?: CachedRoute;
  }
}

/** Marks a public read as conditional (`ETag`, 304), and lets the response cache answer it. */
export const Cached = <Data>(cached: CachedRoute<Data>): MethodDecorator =>
  RouteConfig({ ...CONDITIONAL, cached });
