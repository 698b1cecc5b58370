import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withBuildLock } from './build/build-lock.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'build');
const BUILD_INFO = join(MODULES, '.tsbuildinfo');
const PROGRAM = join(ROOT, 'dist/main.js');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const BUNDLER = join(ROOT, 'scripts/build/bundle.mjs');
const SOURCES = [
  'src',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/build/bundle.mjs',
];

/** @returns the time of the latest change of a file, or of the files in a folder, in milliseconds since 1970 */
function latestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return Math.max(stat.mtimeMs, ...files.map((file) => statSync(file).mtimeMs));
}

/** Makes the next compilation write every file. */
export function forgetBuild() {
  rmSync(BUILD_INFO, { force: true });
}

/**
 * Removes the modules in `build` whose sources no longer exist, and makes the bundle in `dist` of the others.
 *
 * @returns the exit code, 0 after success
 */
export function bundle() {
  for (const path of readdirSync(MODULES, { recursive: true }).map(String)) {
    const source = join(ROOT, 'src', path.replace(/\.js(\.map)?$/, '.ts'));
    if (/\.js(\.map)?$/.test(path) && !existsSync(source)) rmSync(join(MODULES, path));
  }
  return run(BUNDLER);
}

/**
 * Builds `dist` if it is missing or older than the sources. The result is the same as that of `npm run build`, but
 * only changed files are compiled. Without the sources or the compiler, as in an image, `dist` is used as it is.
 */
export function buildIfStale() {
  if (!existsSync(join(ROOT, 'src')) || !existsSync(COMPILER)) return;
  if (isStale()) withBuildLock(build);
}

function isStale() {
  if (!existsSync(BUILD_INFO) || !existsSync(PROGRAM)) return true;
  const newest = Math.max(...SOURCES.map((source) => latestChange(join(ROOT, source))));
  return statSync(PROGRAM).mtimeMs < newest;
}

function build() {
  // Another process may have built it while this one waited for the lock.
  if (!isStale()) return;
  console.error('Building …');
  const status = run(COMPILER, '-p', 'tsconfig.build.json') || bundle();
  if (status !== 0) process.exit(status);
}

/** @returns the exit code of a program that Node runs */
function run(...command) {
  const stdio = ['ignore', 2, 2];
  return spawnSync(process.execPath, command, { cwd: ROOT, stdio }).status ?? 1;
}
