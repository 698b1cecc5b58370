import type { RouteOptions } from 'fastify';
import { MAX_CHEAP_SKIP } from '../../blog-public/lists/public-list.service.js';
import { SAFE_METHODS } from '../../common/http/safe-methods.js';

/** The classes whose requests are counted while they are worked on. */
export type CountedClass = 'read' | 'write';

interface ClassRow {
  /** The class whose limit holds. */
  readonly asks: CountedClass;
  /** From which share of the limit on it is refused. */
  readonly share: number;
}

/**
 * What is refused under overload. Costly reads go first: they are refused before plain reads are. Reads
 * do not use up the limit of writes, nor the other way round: most requests are reads, so reads go next, and
 * writes and sign-ins last.
 *
 * Costly reads and sign-ins are not counted themselves: they wait in bulkheads, which let in few.
 */
export const REQUEST_CLASSES = {
  /** Search, similar blogs, feeds, deep pages and totals. */
  'costly-read': { asks: 'read', share: 0.7 },
  read: { asks: 'read', share: 1 },
  write: { asks: 'write', share: 1 },
  /** What hashes a password. */
  'sign-in': { asks: 'write', share: 1 },
} as const satisfies Record<string, ClassRow>;

export type RequestClass = keyof typeof REQUEST_CLASSES;

export function isCounted(requestClass: RequestClass): requestClass is CountedClass {
  return REQUEST_CLASSES[requestClass].asks === requestClass;
}

/** Routes whose class does not follow from their method. null: never refused. */
export const CLASS_BY_ROUTE: Readonly<Record<string, RequestClass | null>> = {
  'GET /health': null,
  'GET /health/live': null,
  'GET /health/ready': null,
  'GET /blogs/search': 'costly-read',
  'GET /blogs/similar/id/:id': 'costly-read',
  'GET /feeds/rss.xml': 'costly-read',
  'GET /feeds/atom.xml': 'costly-read',
  'GET /feeds/feed.json': 'costly-read',
  'GET /sitemap.xml': 'costly-read',
  'POST /auth/signin/basic': 'sign-in',
  'POST /auth/signup/basic': 'sign-in',
  'PUT /auth/password': 'sign-in',
  'DELETE /profile/mine': 'sign-in',
};

/** @returns null for a route that is never refused */
export function classOfRoute({
  method,
  url,
}: Pick<RouteOptions, 'method' | 'url'>): RequestClass | null {
  const name = String(method);
  const isRead = SAFE_METHODS.has(name);
  const listed = CLASS_BY_ROUTE[`${isRead ? 'GET' : name} ${url}`];
  return listed === undefined ? (isRead ? 'read' : 'write') : listed;
}

/** The query of a list as it was sent. */
interface SentQuery {
  readonly page?: unknown;
  readonly limit?: unknown;
  readonly total?: unknown;
}

/** Whether MongoDB would have to count or to skip that many blogs that it waits in a bulkhead. */
export function isCostlyList({ page = 1, limit = 10, total }: SentQuery): boolean {
  return total === 'true' || (Number(page) - 1) * Number(limit) > MAX_CHEAP_SKIP;
}
