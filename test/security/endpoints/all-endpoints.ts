import { API_ROWS, type AccessRow } from '../../access/table.js';
import { ACCOUNT_ENDPOINTS, ADMIN_ENDPOINTS } from './accounts.js';
import { EDITORIAL_ENDPOINTS, PUBLIC_ENDPOINTS } from './blogs.js';
import type { Endpoint } from './endpoint.js';

/** Every route but HEAD, which runs the handler of GET. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...ACCOUNT_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
  ...EDITORIAL_ENDPOINTS,
  ...PUBLIC_ENDPOINTS,
];

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function methodOf({ route }: Pick<Endpoint, 'route'>): string {
  return route.slice(0, route.indexOf(' '));
}

export const WRITES = ENDPOINTS.filter((endpoint) => !READS.has(methodOf(endpoint)));

/** The routes of a listing that a table of endpoints must have. */
export function routesToCover(listing: readonly string[], only: 'all' | 'writes'): string[] {
  const api = new Set(API_ROWS.map(({ method, path }) => `${method} ${path}`));
  return listing.filter((route) => {
    const method = methodOf({ route });
    if (method === 'HEAD' || method === 'OPTIONS') return false;
    if (READS.has(method)) return only === 'all' && api.has(route);
    return true;
  });
}

/** Who may use the route. @throws Error for one that the table of access lacks */
export function accessTo({ route }: Pick<Endpoint, 'route'>): AccessRow {
  const row = API_ROWS.find(({ method, path }) => `${method} ${path}` === route);
  if (!row) throw new Error(`${route} is not in the table of access`);
  return row;
}
