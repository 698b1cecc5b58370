import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../scripts/support/user-error.ts';

/** In this order: what writes comes after what reads. */
const NAMES = [
  ...['warm', 'uncached', 'lists', 'depth', 'similar', 'signed-in', 'writes'],
  ...['storm', 'stalls', 'memory', 'start', 'workers', 'batching'],
];

/** @param only names of cases; all when empty @throws UserError for a name that is none */
export async function casesOf(only) {
  const unknown = only.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0)
    throw new UserError(`no such case: ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
  const names = NAMES.filter((name) => only.length === 0 || only.includes(name));
  const files = names.map((name) => new URL(`cases/${name}.mjs`, import.meta.url));
  return Promise.all(
    files.filter((file) => existsSync(fileURLToPath(file))).map((file) => import(file.href)),
  );
}
