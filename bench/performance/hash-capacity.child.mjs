/** Checks passwords on the project's own threads and does nothing else; see hash-capacity.mjs. */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';

const [hash, password, seconds] = process.argv.slice(2);
const COST = Number(hash.split('$')[2]);
// As many as `PasswordHasher` has.
const threads = Math.max(1, availableParallelism() - 1);
const pool = new Piscina({
  filename: new URL('../../dist/auth/password/bcrypt.worker.js', import.meta.url).href,
  minThreads: threads,
  maxThreads: threads,
});
let done = 0;
let deadline = Infinity;

async function checkAgainAndAgain() {
  while (performance.now() < deadline) {
    const isMatch = await pool.run({ password, hash, cost: COST }, { name: 'compare' });
    if (!isMatch) throw new Error('the password of the bench does not match its hash');
    if (performance.now() <= deadline) done += 1;
  }
}

// The first ones compile.
await Promise.all(
  Array.from({ length: threads * 4 }, () =>
    pool.run({ password, hash, cost: COST }, { name: 'compare' }),
  ),
);
deadline = performance.now() + Number(seconds) * 1_000;
await Promise.all(Array.from({ length: threads * 2 }, checkAgainAndAgain));
await pool.destroy();
process.stdout.write(JSON.stringify({ rate: done / Number(seconds), threads }));
