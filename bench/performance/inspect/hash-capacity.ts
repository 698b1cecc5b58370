import { availableParallelism } from 'node:os';
import bcrypt from 'bcryptjs';
import { Piscina } from 'piscina';
import { builtUrl } from '../../support/built.ts';

/** The default of BCRYPT_COST. */
const COST = 10;
// As many as `PasswordHasher` has.
const THREADS = Math.max(1, availableParallelism() - 1);

/**
 * How many passwords the hash function allows a second, on as many threads as the server's pool has
 * and with nothing beside it: the server's own code in this process, which is held to no core and
 * does nothing else meanwhile.
 */
export async function measureHashCapacity(password: string, seconds: number) {
  const task = { password, hash: bcrypt.hashSync(password, COST), cost: COST };
  const filename = builtUrl('auth/password/bcrypt.worker').href;
  const pool = new Piscina({ filename, minThreads: THREADS, maxThreads: THREADS });
  const compare = () => pool.run(task, { name: 'compare' }) as Promise<boolean>;
  // The first ones compile.
  await Promise.all(Array.from({ length: THREADS * 4 }, compare));
  let done = 0;
  const deadline = performance.now() + seconds * 1_000;
  const client = async () => {
    while (performance.now() < deadline) {
      if (!(await compare())) throw new Error('the password of the bench does not match its hash');
      if (performance.now() <= deadline) done += 1;
    }
  };
  await Promise.all(Array.from({ length: THREADS * 2 }, client));
  await pool.destroy();
  return { rate: done / seconds, threads: THREADS };
}
