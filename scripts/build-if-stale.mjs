import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(ROOT, 'dist/main.js');
const SOURCES = ['src', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** Latest change below a file or folder, in milliseconds since the epoch. */
function latestChange(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return Math.max(stat.mtimeMs, ...files.map((file) => statSync(file).mtimeMs));
}

/**
 * Builds `dist` when it is missing or older than the sources. Where the sources or the build tools
 * were left out, as in an image, `dist` is used as it is.
 */
export function buildIfStale() {
  if (!existsSync(join(ROOT, 'src')) || !existsSync(join(ROOT, 'node_modules/@nestjs/cli'))) return;
  const newest = Math.max(...SOURCES.map((source) => latestChange(join(ROOT, source))));
  if (existsSync(ENTRY) && statSync(ENTRY).mtimeMs >= newest) return;
  console.error('Building …');
  const { status } = spawnSync('npx', ['--no-install', 'nest', 'build'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}
