import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods a path answers to, in alphabetical order; empty for an unknown path. */
    allowedMethods(this: void, path: string): readonly string[];
  }
}

/**
 * Learns every route as it is registered, so that an unmatched request can be told apart: unknown
 * path (404) or known path with another method (405 and `Allow`).
 *
 * @param routerOptions the same as Fastify's, or the two would disagree on what matches
 */
export function collectAllowedMethods(
  fastify: FastifyInstance,
  routerOptions: { ignoreTrailingSlash: boolean; maxParamLength: number },
): void {
  const router = findMyWay(routerOptions);
  const methods = new Set<string>();
  fastify.addHook('onRoute', ({ method, url }) => {
    if (url === '*') return;
    for (const name of [method].flat()) {
      methods.add(name);
      if (!router.hasRoute(name as findMyWay.HTTPMethod, url)) {
        router.on(name as findMyWay.HTTPMethod, url, () => undefined);
      }
    }
  });
  fastify.decorate('allowedMethods', (path: string) =>
    [...methods].filter((name) => router.find(name as findMyWay.HTTPMethod, path)).sort(),
  );
}
