import type { RouteOptions } from 'fastify';
import { SAFE_METHODS } from '../http/safe-methods.js';
import { MAX_CHEAP_SKIP } from './expensive-reads.js';

interface ClassRow {
  /** While fewer requests of the class than this are in flight, none is refused. */
  readonly minInFlight: number;
  /**
   * Once `minInFlight` requests are in flight, a further one is refused if it would wait for this many
   * milliseconds until it starts.
   */
  readonly waitMs: number;
}

/**
 * The classes of requests, with the limits above which they are refused under overload. Expensive reads are
 * refused first, at a wait at which all others are still let in. Writes and sign-ins are refused at a shorter
 * wait than other reads. But most requests are reads, so often fewer than `minInFlight` writes are in flight,
 * and none is refused.
 *
 * With a smaller `minInFlight` of writes, twenty people who write at a time would be refused on a machine that is
 * slow for other reasons.
 */
export const REQUEST_CLASSES = {
  /** Searches, similar blogs, feeds, deep pages and totals. */
  'costly-read': { minInFlight: 0, waitMs: 50 },
  read: { minInFlight: 24, waitMs: 150 },
  write: { minInFlight: 24, waitMs: 75 },
  /**
   * Requests that hash a password. The event loop has a higher priority than the hashing, so with a larger
   * `minInFlight` these requests would take seconds.
   */
  'sign-in': { minInFlight: 2, waitMs: 75 },
} as const satisfies Record<string, ClassRow>;

export type RequestClass = keyof typeof REQUEST_CLASSES;

/** The class of a route by its method and path, such as `GET /health`; null: never refused. */
export type ClassByRoute = Readonly<Record<string, RequestClass | null>>;

/**
 * @param listed the routes whose class does not follow from their method
 * @returns null for a route that is never refused
 */
export function classOfRoute(
  { method, url }: Pick<RouteOptions, 'method' | 'url'>,
  listed: ClassByRoute,
): RequestClass | null {
  const name = String(method);
  const isRead = SAFE_METHODS.has(name);
  const found = listed[`${isRead ? 'GET' : name} ${url}`];
  return found === undefined ? (isRead ? 'read' : 'write') : found;
}

/** The parameters of a list's query, as they were sent. */
interface SentQuery {
  readonly page?: unknown;
  readonly limit?: unknown;
  readonly total?: unknown;
}

/**
 * Whether a list is an expensive read, because MongoDB has to count all its index keys or skip many of them.
 */
export function isExpensiveList({ page = 1, limit = 10, total }: SentQuery): boolean {
  return total === 'true' || (Number(page) - 1) * Number(limit) > MAX_CHEAP_SKIP;
}
