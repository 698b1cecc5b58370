import type { FastifyRequest } from 'fastify';
import type { CachedRoute } from '../common/http/cached.decorator.js';

/** Stands in no key but between its parts. */
const SEPARATOR = '\n';
const ABSENT = '-';

/**
 * Names the answer that a request asks for: route, query, allowed origin and path parameter, as the
 * router has decoded them. Different requests for one answer may have different keys, never the
 * other way round.
 *
 * @param origins that are allowed where not all are
 * @returns what reads it; null for a request that the lane does not understand
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
        // Given twice it is a list.
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

/** Without an array: most requests have none. */
function countOf(query: object): number {
  let count = 0;
  for (const _ in query) count += 1;
  return count;
}
