import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withBuildLock } from './build/build-lock.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const BUILD_INFO = join(DIST, '.tsbuildinfo');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
/** Folder in `src` that `nest build` copies to `dist` unchanged. */
const ASSETS = 'web/assets';
const SOURCES = ['src', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

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

/** Removes compiled files whose sources no longer exist. */
export function removeOrphans() {
  for (const path of readdirSync(DIST, { recursive: true }).map(String)) {
    const source = join(ROOT, 'src', path.replace(/\.js(\.map)?$/, '.ts'));
    if (/\.js(\.map)?$/.test(path) && !path.startsWith(ASSETS) && !existsSync(source)) {
      rmSync(join(DIST, path));
    }
  }
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
  const newest = Math.max(...SOURCES.map((source) => latestChange(join(ROOT, source))));
  return !existsSync(BUILD_INFO) || statSync(BUILD_INFO).mtimeMs < newest;
}

function build() {
  // Another process may have built it while this one waited for the lock.
  if (!isStale()) return;
  console.error('Building …');
  const { status } = spawnSync(process.execPath, [COMPILER, '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
  cpSync(join(ROOT, 'src', ASSETS), join(DIST, ASSETS), { recursive: true });
  removeOrphans();
  // The compiler does not write this file when none of its inputs has changed, so the time is set here.
  utimesSync(BUILD_INFO, new Date(), new Date());
}
