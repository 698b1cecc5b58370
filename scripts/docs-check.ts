import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildIfStale } from './build-if-stale.mjs';
import { blocksOf, type Block } from './docs-check/blocks.ts';
import { runPage, type PageRun } from './docs-check/run-page.ts';
import { freePort } from './support/network/free-port.ts';
import { startReplicaSet } from './support/replica-set.mjs';

const USAGE = `usage: npm run docs:check -- [PAGE ...]

Runs the command blocks of README.md and of each PAGE (default: all pages of docs, and client/README.md), as a
reader would: in order, in fresh clones of the last commit. The ports 3000 and 27017 of the pages are replaced by
free ones.`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(USAGE);
  process.exit();
}

const pages = args.length > 0 ? args : [...markdownIn('docs'), 'client/README.md'];
const otherPages = pages.filter((page) => page !== 'README.md');
const folder = mkdtempSync(join(tmpdir(), 'pressroom-docs-'));
let passed = 0;
let failed = 0;

buildIfStale();
const { mongo } = await startReplicaSet({ name: 'rs0' });
try {
  await runPages();
} finally {
  await mongo.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/**
 * Runs the pages. The first block of README.md installs and builds; after it the other pages run at the same time as
 * the rest of README.md.
 */
async function runPages(): Promise<void> {
  const clone = cloneTo('readme');
  const running: Promise<void>[] = [];
  await runPage(blocksOf(clone, 'README.md'), {
    ...(await runOptionsOf(clone)),
    report: (block, problem) => {
      report(block, problem);
      if (problem === null && running.length === 0) running.push(runOthers(clone));
    },
  });
  await Promise.all(running);
}

/** Runs the other pages in a clone of their own, with the installed packages and the build of README.md's clone. */
async function runOthers(readmeClone: string): Promise<void> {
  const clone = cloneTo('others');
  execFileSync('cp', ['-al', join(readmeClone, 'node_modules'), clone]);
  execFileSync('cp', ['-a', join(readmeClone, 'build'), join(readmeClone, 'dist'), clone]);
  // The build gets the present time. Otherwise it would be older than the files of the clone, and be made again.
  const now = new Date();
  utimesSync(join(clone, 'dist/main.js'), now, now);
  const options = await runOptionsOf(clone);
  const seed = ['exec', '--', 'pressroom', 'seed'];
  await promisify(execFile)('npm', seed, { cwd: clone, env: options.env });
  for (const page of otherPages) await runPage(blocksOf(clone, page), { ...options, report });
}

function cloneTo(name: string): string {
  const clone = join(folder, name);
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
  return clone;
}

async function runOptionsOf(clone: string): Promise<Omit<PageRun, 'report'>> {
  const [port, mongoPort] = [String(await freePort()), new URL(mongo.getUri()).port];
  const { PATH, HOME } = process.env;
  return {
    folder: clone,
    // npm may use its cache without asking the registry, because the lock file determines the versions.
    env: { PATH: withoutNpmFolders(PATH), HOME, PORT: port, npm_config_prefer_offline: 'true' },
    url: `http://127.0.0.1:${port}`,
    addresses: {
      '127.0.0.1:3000': `127.0.0.1:${port}`,
      'localhost:27017': `127.0.0.1:${mongoPort}`,
    },
  };
}

function report({ location }: Block, problem: string | null): void {
  if (problem === null) passed += 1;
  else failed += 1;
  const seconds = Math.round(performance.now() / 1_000);
  console.log(
    problem === null ? `ok ${location} (after ${seconds} s)` : `FAILED ${location}\n${problem}`,
  );
}

function markdownIn(path: string): string[] {
  return readdirSync(join(ROOT, path))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(path, name));
}

/** @returns the PATH without the folders that npm has added: the terminal of a person has none of these */
function withoutNpmFolders(path = ''): string {
  return path
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':');
}
