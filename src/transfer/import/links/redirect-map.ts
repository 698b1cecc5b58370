import type { Redirect } from '../import-report.js';

/**
 * The redirects as a `map $request_uri` of nginx includes them: `/from /to;`, a line each. nginx ignores case, refuses
 * a second line for an address, and ends a line with a semicolon unless it is quoted.
 */
export function redirectMap(redirects: readonly Redirect[]): string {
  const lines = new Map<string, string>();
  for (const { from, to } of redirects) {
    const key = from.toLowerCase();
    const address = from.includes(';') ? `"${from}"` : from;
    if (!lines.has(key)) lines.set(key, `${address} ${to};\n`);
  }
  return [...lines.values()].join('');
}
