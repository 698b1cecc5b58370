import type { FastifyRequest } from 'fastify';
import type { CachedRoute } from '../../http/cached.decorator.js';

/** Separates the parts of a key. A request with a parameter that contains it is not cached. */
const SEPARATOR = '\n';
const ABSENT = '-';

/**
 * Makes the function that gives a request its cache key. The key holds the route's URL, the query, the
 * allowed origin and the path parameter, as the router has decoded them. Requests with different answers
 * always have different keys.
 *
 * @param origins the allowed origins; empty where every origin is allowed
 * @returns a function that returns null for a request that is not cached: one with a method other than
 *   GET, or with an unknown or repeated query parameter
 */
export function keyReader(
  url: string,
  { param, query: names }: Pick<CachedRoute, 'param' | 'query'>,
  origins: ReadonlySet<string>,
): (request: FastifyRequest) => string | null {
  return (request) => {
    if (request.raw.method !== 'GET') return null;
    const query = request.query as Readonly<Record<string, unknown>>;
    let known = 0;
    let key = url;
    for (const name of names) {
      const value = query[name];
      key += SEPARATOR;
      if (value === undefined) {
        key += ABSENT;
      } else {
        // A repeated parameter is an array.
        if (typeof value !== 'string' || value.includes(SEPARATOR)) return null;
        key += `=${value}`;
        known += 1;
      }
    }
    if (countOf(query) !== known) return null;
    if (origins.size > 0) {
      const origin = request.raw.headers.origin ?? '';
      key += SEPARATOR + (origins.has(origin) ? origin : ABSENT);
    }
    if (param === undefined) return key;
    const value = (request.params as Readonly<Record<string, string>>)[param];
    return value === undefined || value.includes(SEPARATOR) ? null : key + SEPARATOR + value;
  };
}

/** Counts the parameters. `Object.keys` would allocate an array with every request. */
function countOf(query: object): number {
  let count = 0;
  for (const _ in query) count += 1;
  return count;
}
