import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that have a route for the path, sorted; empty for an unknown path. */
    allowedMethods(this: void, path: string): readonly string[];
  }
}

/**
 * Collects the routes as they are registered, to distinguish an unknown path (404) from a known path
 * with another method (405 and `Allow`).
 *
 * @param routerOptions the router options of Fastify, so that both routers match the same paths
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
