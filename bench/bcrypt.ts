import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { table } from '../scripts/support/table.ts';
import { built, builtUrl, type Bcrypt, type BcryptName } from './support/built.ts';
import { runProgram, valuesOf } from './support/program.ts';
import { median, range } from './support/statistics.ts';

const USAGE = `npm run bench:bcrypt -- [--rounds N]

How much CPU a password takes with each of the two that compute bcrypt, in turns, by the server's own
code, and what each adds to the memory of a process. Exits with 1 when the native module does less
than 1.25 times what bcryptjs does per CPU-second.

  --rounds N  default 7`;

const [NATIVE, SCRIPT]: readonly [BcryptName, BcryptName] = ['@node-rs/bcrypt', 'bcryptjs'];
/** The default of BCRYPT_COST. */
const COST = 10;
const PER_ROUND = 5;
const BAR = 1.25;

type BcryptWorker = Awaited<ReturnType<typeof built<'auth/password/bcrypt.worker'>>>;

await runProgram(USAGE, async (args) => {
  const { rounds: count } = valuesOf(args, USAGE, { rounds: { type: 'string', default: '7' } });
  buildIfStale();
  const worker = await built('auth/password/bcrypt.worker');
  const [native, script] = [worker.loadBcrypt(NATIVE), worker.loadBcrypt(SCRIPT)];
  if (native.name !== NATIVE) throw new Error('the native module does not load here');
  /** Milliseconds of CPU a password, of each library in each round. */
  const rounds: { native: number; script: number }[] = [];
  for (let round = -1; round < Number(count); round += 1) {
    const times = { native: cpuTimeOf(worker, native), script: cpuTimeOf(worker, script) };
    if (round >= 0) rounds.push(times);
  }
  const ratios = rounds.map((times) => times.script / times.native);
  const ratio = median(ratios);
  const edges = range(ratios).map((edge) => edge.toFixed(2));
  process.exitCode = ratio >= BAR ? 0 : 1;
  console.log(
    [
      table([
        ['bcrypt', 'CPU ms a password', 'passwords per CPU-second', 'RSS + MiB'],
        rowOf(NATIVE, median(rounds.map((times) => times.native))),
        rowOf(SCRIPT, median(rounds.map((times) => times.script))),
      ]),
      `passwords per CPU-second, ${NATIVE} : ${SCRIPT}: ${ratio.toFixed(2)} (median of ` +
        `${ratios.length} rounds, ${edges.join(' to ')}); bar: ${BAR}`,
      ratio >= BAR ? 'reached' : 'NOT REACHED',
    ].join('\n\n'),
  );
});

function rowOf(name: BcryptName, milliseconds: number): string[] {
  const perSecond = 1_000 / milliseconds;
  return [name, milliseconds.toFixed(1), perSecond.toFixed(1), memoryOf(name).toFixed(1)];
}

function cpuTimeOf({ compare, hash }: BcryptWorker, library: Bcrypt): number {
  const password = 'password of a bench';
  const stored = hash({ password, cost: COST });
  const startedAt = process.threadCpuUsage();
  for (let count = 0; count < PER_ROUND; count += 1) {
    const isMatch = compare({ password, hash: stored, cost: COST }, library);
    if (!isMatch) throw new Error(`${library.name} does not match its password`);
  }
  const { user, system } = process.threadCpuUsage(startedAt);
  return (user + system) / 1_000 / PER_ROUND;
}

/** What loading it and checking passwords adds to a process that does nothing else. */
function memoryOf(name: BcryptName): number {
  const source = `
    globalThis.gc();
    const before = process.memoryUsage.rss();
    const { createRequire } = await import('node:module');
    const require = createRequire(${JSON.stringify(fileURLToPath(builtUrl('auth/password/bcrypt.worker')))});
    const { hashSync } = require(${JSON.stringify(name)});
    for (let count = 0; count < 10; count += 1) hashSync('password', 8);
    globalThis.gc();
    console.log((process.memoryUsage.rss() - before) / 1048576);`;
  const args = ['--expose-gc', '--input-type=module', '--eval', source];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
