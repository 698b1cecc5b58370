import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import bcrypt from 'bcryptjs';

const CHILD = fileURLToPath(new URL('hash-capacity.child.ts', import.meta.url));
/** The default of BCRYPT_COST. */
const COST = 10;

const run = promisify(execFile);

/** `rate`: passwords a second. */
export type Capacity = { rate: number; threads: number };

/**
 * How many passwords the hash function allows a second, on as many threads as the server's pool has
 * and with nothing beside it: the server's own code in a process of its own, which is held to no
 * core.
 */
export async function measureHashCapacity(password: string, seconds: number): Promise<Capacity> {
  const hash = bcrypt.hashSync(password, COST);
  const args = [CHILD, hash, password, String(COST), String(seconds)];
  const { stdout } = await run(process.execPath, args);
  return JSON.parse(stdout) as Capacity;
}
