import type { RouteOptions } from 'fastify';
import { SAFE_METHODS } from '../http/safe-methods.js';
import { MAX_CHEAP_SKIP } from './expensive-reads.js';

interface ClassRow {
  /** Number of requests that are worked on before one is refused. */
  readonly atLeast: number;
  /** Milliseconds: beyond `atLeast`, a request that would wait longer until it starts is refused. */
  readonly waitMs: number;
}

/**
 * The classes of requests, with the limits above which they are refused under overload. Expensive
 * reads are refused first, at waits at which plain reads are not. Plain reads follow, since most
 * requests are reads. Writes and sign-ins come last, because `atLeast` protects a large part of
 * them.
 *
 * With a smaller `atLeast`, twenty people who write at a time would be refused on a machine that is
 * slow for other reasons.
 */
export const REQUEST_CLASSES = {
  /** Searches, similar blogs, feeds, deep pages and totals. */
  'costly-read': { atLeast: 0, waitMs: 50 },
  read: { atLeast: 24, waitMs: 150 },
  write: { atLeast: 24, waitMs: 75 },
  /**
   * Requests that hash a password. The event loop goes before the hashing, so more at a time would
   * take seconds.
   */
  'sign-in': { atLeast: 2, waitMs: 75 },
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
 * Whether MongoDB would have to count or skip so many index keys for the list that it is an
 * expensive read.
 */
export function isExpensiveList({ page = 1, limit = 10, total }: SentQuery): boolean {
  return total === 'true' || (Number(page) - 1) * Number(limit) > MAX_CHEAP_SKIP;
}
