import type { FastifyRequest } from 'fastify';
import type { CachedRoute } from '../../http/cached.decorator.js';

/** Separates the parts of a key. A request with a parameter that contains the separator is not cached. */
const SEPARATOR = '\n';

/** Stands for a parameter that is missing, or an origin that is not allowed. */
const ABSENT = '-';

/**
 * Makes the function that returns the cache key of a request. The key contains the route's URL, the query
 * parameters, the origin if it is allowed, and the path parameter. The router has decoded the parameters.
 * Requests with different answers always have different keys.
 *
 * @param origins the allowed origins; empty where every origin is allowed
 * @returns a function that returns null for a request that is not cached: one with a method other than
 *   GET, with an unknown or repeated query parameter, or with a parameter that contains the separator
 */
export function keyReader(
  url: string,
  { param, query: names }: Pick<CachedRoute, 'param' | 'query'>,
  origins: ReadonlySet<string>,
): (request: FastifyRequest) => string | null {
  return (request) => {
    if (request.raw.method !== 'GET') return null;
    const query = request.query as Readonly<Record<string, unknown>>;
    let knownCount = 0;
    let key = url;
    for (const name of names) {
      const value = query[name];
      key += SEPARATOR;
      if (value === undefined) {
        key += ABSENT;
      } else {
        // The value of a repeated parameter is an array.
        if (typeof value !== 'string' || value.includes(SEPARATOR)) return null;
        key += `=${value}`;
        knownCount += 1;
      }
    }
    if (countOf(query) !== knownCount) return null;
    if (origins.size > 0) {
      const origin = request.raw.headers.origin ?? '';
      key += SEPARATOR + (origins.has(origin) ? origin : ABSENT);
    }
    if (param === undefined) return key;
    const value = (request.params as Readonly<Record<string, string>>)[param];
    return value === undefined || value.includes(SEPARATOR) ? null : key + SEPARATOR + value;
  };
}

/** Counts the parameters. `Object.keys` would allocate an array for every request. */
function countOf(query: object): number {
  let count = 0;
  for (const _ in query) count += 1;
  return count;
}
