import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import bcrypt from 'bcryptjs';

const CHILD = fileURLToPath(new URL('hash-capacity.child.mjs', import.meta.url));
/** The default of BCRYPT_COST. */
const COST = 10;

const run = promisify(execFile);

/**
 * How many passwords the hash function allows a second, on as many threads as the server's pool has
 * and with nothing beside it: the project's own code in a process of its own, which is held to no
 * core.
 *
 * @returns `rate` and `threads`
 */
export async function measureHashCapacity(password, seconds) {
  const hash = bcrypt.hashSync(password, COST);
  const { stdout } = await run(process.execPath, [CHILD, hash, password, String(seconds)]);
  return JSON.parse(stdout);
}
