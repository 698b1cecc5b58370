#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

const { engines } = createRequire(import.meta.url)('../package.json');
const OLDEST_NODE = engines.node.replace('>=', '').split('.').map(Number);
const OWN_NODE = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const START = fileURLToPath(new URL('../scripts/start.mjs', import.meta.url));

/** An import makes much garbage: with the defaults of V8 and of glibc it takes twice the memory. */
const IMPORT_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=20', '--v8-pool-size=1'];
const IMPORT_ENV = { MALLOC_ARENA_MAX: '2' };

const args = process.argv.slice(2);
const isImport = args.find((arg) => !arg.startsWith('-')) === 'import';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isOldNode = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);

if (isOldNode && existsSync(OWN_NODE)) {
  // As `npm run` does, whose PATH has this Node first.
  const { status } = spawnSync(OWN_NODE, process.argv.slice(1), { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else if (isOldNode) {
  process.stderr.write(
    `Pressroom needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${process.version}: install one.\n`,
  );
  process.exitCode = 1;
} else if (args.length === 1 && args[0] === 'start') {
  // The server takes the place of this process, so that signals reach it, with flags of its own.
  process.execve(process.execPath, [process.execPath, ...NODE_FLAGS, START], process.env);
} else if (isImport && !process.execArgv.includes(IMPORT_FLAGS[0])) {
  const command = [...process.execArgv, ...IMPORT_FLAGS, ...process.argv.slice(1)];
  const env = { ...IMPORT_ENV, ...process.env };
  process.execve(process.execPath, [process.execPath, ...command], env);
} else {
  buildIfStale();
  const { runCommandLine } = await import('../dist/cli/command-line/command-line.js');
  await runCommandLine(args);
}
