import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In this order: what writes comes after what reads. */
const NAMES = [
  ...['warm', 'uncached', 'lists', 'depth', 'similar', 'signed-in', 'writes'],
  ...['storm', 'stalls', 'memory', 'start', 'workers'],
];

/** @param only names of cases; all when empty @throws Error for a name that is none */
export async function casesOf(only) {
  const unknown = only.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) throw new Error(`no such case: ${unknown.join(', ')} (${NAMES})`);
  const names = NAMES.filter((name) => only.length === 0 || only.includes(name));
  const files = names.map((name) => new URL(`cases/${name}.mjs`, import.meta.url));
  return Promise.all(
    files.filter((file) => existsSync(fileURLToPath(file))).map((file) => import(file.href)),
  );
}
