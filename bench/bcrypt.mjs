/**
 * How much CPU a password takes with each of the two that compute bcrypt, in turns, by the server's own
 * code, and what each adds to the memory of a process.
 *
 *   npm run bench:bcrypt -- [--rounds 7]
 *
 * Exit code 1 when the native module does less than 1.25 times what bcryptjs does per CPU-second.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { table } from '../scripts/support/table.ts';

const NAMES = ['@node-rs/bcrypt', 'bcryptjs'];
/** The default of BCRYPT_COST. */
const COST = 10;
const PER_ROUND = 5;
const BAR = 1.25;
const WORKER = new URL('../dist/auth/password/bcrypt.worker.js', import.meta.url).href;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });

buildIfStale();
const { compare, hash, loadBcrypt } = await import(WORKER);
const libraries = NAMES.map((name) => loadBcrypt(name));
if (libraries.some(({ name }, index) => name !== NAMES[index])) {
  throw new Error('the native module does not load here');
}
const stored = hash({ password: 'password of a bench', cost: COST });
/** Per library: milliseconds of CPU a password, one for each round. */
const times = libraries.map(() => []);
for (let round = -1; round < Number(values.rounds); round += 1) {
  for (const [index, library] of libraries.entries()) {
    const time = cpuTimeOf(library);
    if (round >= 0) times[index].push(time);
  }
}

const medians = times.map(median);
const ratios = times[0].map((time, round) => times[1][round] / time);
const ratio = median(ratios);
process.exitCode = ratio >= BAR ? 0 : 1;
console.log(
  [
    table([
      ['bcrypt', 'CPU ms a password', 'passwords per CPU-second', 'RSS + MiB'],
      ...NAMES.map((name, index) => [
        name,
        medians[index].toFixed(1),
        (1_000 / medians[index]).toFixed(1),
        memoryOf(name).toFixed(1),
      ]),
    ]),
    `passwords per CPU-second, ${NAMES.join(' : ')}: ${ratio.toFixed(2)} (median of ` +
      `${ratios.length} rounds, ${Math.min(...ratios).toFixed(2)} to ` +
      `${Math.max(...ratios).toFixed(2)}); bar: ${BAR}`,
    ratio >= BAR ? 'reached' : 'NOT REACHED',
  ].join('\n\n'),
);

function cpuTimeOf(library) {
  const startedAt = process.threadCpuUsage();
  for (let count = 0; count < PER_ROUND; count += 1) {
    const isMatch = compare({ password: 'password of a bench', hash: stored, cost: COST }, library);
    if (!isMatch) throw new Error(`${library.name} does not match its password`);
  }
  const { user, system } = process.threadCpuUsage(startedAt);
  return (user + system) / 1_000 / PER_ROUND;
}

/** What loading it and checking passwords adds to a process that does nothing else. */
function memoryOf(name) {
  const source = `
    globalThis.gc();
    const before = process.memoryUsage.rss();
    const { createRequire } = await import('node:module');
    const require = createRequire(${JSON.stringify(fileURLToPath(WORKER))});
    const { hashSync } = require(${JSON.stringify(name)});
    for (let count = 0; count < 10; count += 1) hashSync('password', 8);
    globalThis.gc();
    console.log((process.memoryUsage.rss() - before) / 1048576);`;
  const args = ['--expose-gc', '--input-type=module', '--eval', source];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
