import { RouteConfig } from '@nestjs/platform-fastify';
import { CONDITIONAL } from './conditional/conditional-get.js';

/** What the answer of a read that may come from memory depends on. */
export interface CachedRoute {
  /** The path parameter that it depends on. */
  readonly param?: string;
  /** The query parameters that it depends on; a request with any other one goes the long way. */
  readonly query: readonly string[];
  /** Whether it shows one blog, or what any change of a live blog may concern. */
  readonly shows: 'one blog' | 'many blogs';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** See `Cached`. */
    readonly hot?: CachedRoute;
  }
}

/** Marks a public read: conditional, and answered by the fast lane where that is right. */
export const Cached = (hot: CachedRoute): MethodDecorator => RouteConfig({ ...CONDITIONAL, hot });
