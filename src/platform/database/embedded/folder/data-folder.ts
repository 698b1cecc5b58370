import { access, mkdir, readFile, realpath, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedMongoError } from '../embedded-mongo.error.js';
import { RUN_FILE } from './run-file.js';

/** Paths inside a data folder. */
export interface DataFolder {
  readonly root: string;
  /** The folder of mongod's own files. */
  readonly dbPath: string;
  readonly logFile: string;
  readonly runFile: string;
  /** The file with the version of MongoDB that wrote the data. */
  readonly versionFile: string;
}

const MEGABYTE = 1024 * 1024;
/**
 * Free bytes that mongod needs to create a database: it preallocates 300 MB of journal, and its first
 * start fails on a disk with 250 MB free.
 */
const NEW_DATABASE_BYTES = 400 * MEGABYTE;
/** Free bytes that mongod needs to open an existing database. */
const EXISTING_DATABASE_BYTES = 64 * MEGABYTE;

/**
 * Creates the data folder if it is missing, and checks that it is writable and its disk has enough space.
 *
 * @param dataDir path of the folder
 * @param freeBytes returns the free bytes at a path; tests replace it
 * @returns the paths in the folder, with symbolic links resolved
 * @throws {EmbeddedMongoError} when the folder is read-only, belongs to another user or is no folder, or
 *   when its disk is full
 */
export async function prepareDataFolder(
  dataDir: string,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<DataFolder> {
  const given = path.resolve(dataDir);
  try {
    await createFolder(given);
    const root = await realpath(given);
    const dbPath = path.join(root, 'db');
    const isNew = !(await exists(path.join(dbPath, 'WiredTiger')));
    await checkSpace(root, isNew, await freeBytes(root));
    await probeWrite(root);
    await createFolder(dbPath);
    await probeWrite(dbPath);
    return {
      root,
      dbPath,
      logFile: path.join(root, 'mongod.log'),
      runFile: path.join(root, RUN_FILE),
      versionFile: path.join(root, 'data-version.json'),
    };
  } catch (error) {
    if (error instanceof EmbeddedMongoError) throw error;
    throw explainFolderError(given, error);
  }
}

/** Turns a failed file operation in the data folder into an error that says what is wrong. */
export function explainFolderError(folder: string, error: unknown): EmbeddedMongoError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new EmbeddedMongoError(`${folder} ${whatIsWrong(code) ?? `failed: ${message}.`}`, {
    cause: error,
  });
}

function whatIsWrong(code = ''): string | undefined {
  const alternative = 'or set DATA_DIR to a folder that can be written';
  switch (code) {
    case 'EROFS':
      return `is on a read-only file system. Mount it writable, ${alternative}.`;
    case 'EACCES':
    case 'EPERM':
      return `cannot be written by this user. Change its owner or its permissions, ${alternative}.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `is on a disk that is full. Free some space, ${alternative}. No data was lost.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is not a folder. Remove what is there, or set DATA_DIR to a folder.';
    default:
      return undefined;
  }
}

/** The version of MongoDB that wrote the data; null for new data and if no version was recorded. */
export async function readDataVersion({
  versionFile,
}: Pick<DataFolder, 'versionFile'>): Promise<string | null> {
  try {
    const { version } = JSON.parse(await readFile(versionFile, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

/** Stores the version of MongoDB that writes the data. */
export async function writeDataVersion(
  { versionFile }: DataFolder,
  version: string,
): Promise<void> {
  // An unchanged version is not written again, because a write on a full disk would leave an empty
  // file.
  if ((await readDataVersion({ versionFile })) === version) return;
  await writeFile(versionFile, `${JSON.stringify({ version })}\n`, { flush: true });
}

/** Free bytes that are available to this user. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function checkSpace(root: string, isNew: boolean, free: number): Promise<void> {
  const needed = isNew ? NEW_DATABASE_BYTES : EXISTING_DATABASE_BYTES;
  if (free >= needed) return;
  // A read-only file system may report no free space as well; `probeWrite` then throws the precise error.
  await probeWrite(root);
  const has = `has only ${Math.floor(free / MEGABYTE)} MB free`;
  throw new EmbeddedMongoError(
    `The disk of ${root} is full: it ${has}, and MongoDB needs ${needed / MEGABYTE} MB to start. ` +
      'Free some space, or set DATA_DIR to a folder on another disk. No data was lost.',
  );
}

/**
 * Creates a folder and its parents. On a read-only file system Node reports ENOENT (as of 24.21). To throw
 * the real cause, the function then tries to write to the closest existing parent.
 */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    let parent = path.dirname(folder);
    while (!(await exists(parent))) parent = path.dirname(parent);
    await probeWrite(parent);
    throw error;
  }
}

/** Tests that the folder is writable: writes a small file to the disk (fsync) and removes it. */
async function probeWrite(folder: string): Promise<void> {
  const probe = path.join(folder, `.probe-${process.pid}`);
  try {
    await writeFile(probe, Buffer.alloc(4096, 1), { mode: 0o600, flush: true });
  } finally {
    await rm(probe, { force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
