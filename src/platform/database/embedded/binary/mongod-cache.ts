import { createHash } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { seriesOf } from './mongod-version.js';

const MANIFEST = 'manifest.json';
const TEMPORARY_PREFIX = '.new-';
const CHUNK_BYTES = 4 * 1024 * 1024;
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;
const STORE_TRIES = 5;

/** A binary in the cache. */
export interface CachedMongod {
  readonly path: string;
  readonly version: string;
}

interface Manifest {
  readonly version: string;
  readonly arch: string;
  readonly sha256: string;
}

/**
 * The folder in which downloaded binaries are kept for this user.
 *
 * @param xdgCacheHome the value of XDG_CACHE_HOME, if set; a relative path is ignored, as the XDG Base
 *   Directory Specification demands
 */
export function defaultCacheDir(xdgCacheHome?: string): string {
  const base =
    xdgCacheHome !== undefined && path.isAbsolute(xdgCacheHome)
      ? xdgCacheHome
      : path.join(homedir(), '.cache');
  return path.join(base, 'pressroom', 'mongod');
}

/**
 * Finds the newest binary in the cache whose checksum is the one in its manifest.
 *
 * @param series the only release series to accept, such as `6.0`
 * @returns `found` is null if there is none; `damaged` lists the folders that were skipped, because the
 *   checksum or the manifest is wrong
 */
export async function findCachedMongod(
  cacheDir: string,
  series?: string,
): Promise<{ found: CachedMongod | null; damaged: string[] }> {
  const entries = await readdir(cacheDir).catch(() => []);
  const folderNames = entries
    .filter((name) => /^\d+\.\d+\.\d+-/.test(name) && name.endsWith(`-${process.arch}`))
    .filter((name) => series === undefined || seriesOf(name) === series)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const damaged: string[] = [];
  for (const name of folderNames) {
    const folder = path.join(cacheDir, name);
    const version = await verify(folder);
    if (version !== null) return { found: { path: path.join(folder, 'mongod'), version }, damaged };
    damaged.push(folder);
  }
  return { found: null, damaged };
}

/**
 * Creates a private folder for a download, on the file system of the cache, and removes folders that
 * interrupted downloads left more than a day ago. The caller removes the new folder.
 */
export async function createDownloadDir(cacheDir: string): Promise<string> {
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const leftover = path.join(cacheDir, name);
    const { mtimeMs } = await stat(leftover).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS)
      await rm(leftover, { recursive: true, force: true });
  }
  return mkdtemp(path.join(cacheDir, TEMPORARY_PREFIX));
}

/**
 * Moves a downloaded binary into the cache, together with its checksum in one atomic rename. When several
 * processes store the same version, all of them get the same valid entry.
 *
 * @param binary the file, inside a folder from `createDownloadDir`
 * @returns the entry in the cache
 */
export async function storeMongod(
  cacheDir: string,
  binary: string,
  version: string,
): Promise<CachedMongod> {
  const entry = await mkdtemp(path.join(cacheDir, TEMPORARY_PREFIX));
  const target = path.join(cacheDir, `${version}-${process.arch}`);
  try {
    const stored = path.join(entry, 'mongod');
    await rename(binary, stored);
    await chmod(stored, 0o755);
    await syncToDisk(stored);
    const manifest: Manifest = { version, arch: process.arch, sha256: await sha256Of(stored) };
    await writeFile(path.join(entry, MANIFEST), `${JSON.stringify(manifest)}\n`, { flush: true });
    for (let tries = 0; tries < STORE_TRIES; tries += 1) {
      try {
        await rename(entry, target);
        break;
      } catch (error) {
        if (!isOccupied(error)) throw error;
        // Another process was faster. Its entry is used if it is valid, else moved away and deleted.
        if ((await verify(target)) !== null) break;
        const removalDir = await mkdtemp(path.join(cacheDir, TEMPORARY_PREFIX));
        await rename(target, path.join(removalDir, 'old')).catch(() => undefined);
        await rm(removalDir, { recursive: true, force: true });
      }
    }
  } finally {
    await rm(entry, { recursive: true, force: true });
  }
  return { path: path.join(target, 'mongod'), version };
}

/** The version of an entry whose binary matches its manifest, else null. */
async function verify(folder: string): Promise<string | null> {
  try {
    const text = await readFile(path.join(folder, MANIFEST), 'utf8');
    const manifest = JSON.parse(text) as Partial<Manifest>;
    if (manifest.arch !== process.arch || typeof manifest.version !== 'string') return null;
    const binary = path.join(folder, 'mongod');
    return (await sha256Of(binary)) === manifest.sha256 ? manifest.version : null;
  } catch {
    return null;
  }
}

/** SHA-256 of a file in hex. A start with a cached mongod hashes its 140 MB, in 0.1 s with chunks of 4 MB. */
async function sha256Of(file: string): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

async function syncToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isOccupied(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}
