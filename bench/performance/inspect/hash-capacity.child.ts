/** Checks passwords on threads with the server's own code and does nothing else; see hash-capacity.ts. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { builtUrl } from '../../support/built.ts';
import type { Capacity } from './hash-capacity.ts';

const [hash, password, cost, seconds] = process.argv.slice(2);
const task = { password, hash, cost: Number(cost) };
// As many as `PasswordHasher` has.
const threads = Math.max(1, availableParallelism() - 1);
const pool = new Piscina({
  filename: builtUrl('auth/password/bcrypt.worker').href,
  minThreads: threads,
  maxThreads: threads,
});
const compare = () => pool.run(task, { name: 'compare' }) as Promise<boolean>;

// The first ones compile.
await Promise.all(Array.from({ length: threads * 4 }, compare));
let done = 0;
const deadline = performance.now() + Number(seconds) * 1_000;
await Promise.all(Array.from({ length: threads * 2 }, compareRepeatedly));
await pool.destroy();
const capacity: Capacity = { rate: done / Number(seconds), threads };
process.stdout.write(JSON.stringify(capacity));

async function compareRepeatedly(): Promise<void> {
  while (performance.now() < deadline) {
    if (!(await compare())) throw new Error('the password of the bench does not match its hash');
    if (performance.now() <= deadline) done += 1;
  }
}
