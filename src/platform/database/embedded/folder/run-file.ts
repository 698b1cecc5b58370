import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from '../process/process-facts.js';

/** Name of the file in the data folder that names its owner. */
export const RUN_FILE = 'run.json';

/** Content of `run.json`: the owner of the data folder, and its mongod. */
export interface RunRecord {
  /** The owner: a server, or a command of `npx pressroom`. */
  readonly app: ProcessIdentity;
  /** Path that the database folder had when the owner claimed the data folder. */
  readonly dbPath: string;
  /** Absent until mongod was started. */
  readonly mongod?: ProcessIdentity & {
    readonly binary: string;
    readonly version: string;
    readonly socket: string;
    /** Whether mongod accepts writes. */
    readonly isReady: boolean;
  };
  /** URL at which the server listens; absent before the server listens, and if a command is the owner. */
  readonly url?: string;
}

/** Result of a claim. `previous` is the record of a killed owner, `owner` the record of a running one. */
export type Claim =
  | { readonly isOurs: true; readonly previous: RunRecord | null }
  | { readonly isOurs: false; readonly owner: RunRecord };

const RETRY_MS = 20;

/**
 * Makes the caller the owner of a data folder. `run.json` is a lock file, created atomically by a hard
 * link. To remove the lock of a killed owner, a process must first hold a second lock that is named after
 * the killed owner. Thus exactly one of several concurrent starts succeeds.
 *
 * @param file path of `run.json`
 * @param record the claiming process
 * @throws {Error} with an error code such as `ENOSPC` when the folder cannot be written
 */
export async function claimRunFile(file: string, record: RunRecord): Promise<Claim> {
  let previous: RunRecord | null = null;
  for (;;) {
    if (await createRunFile(file, record)) return { isOurs: true, previous };
    const current = await readRunFile(file);
    if (current === null) continue;
    if (await isHeld(current, record.dbPath)) return { isOurs: false, owner: current };
    previous = current;
    await removeStale(file, current, record);
  }
}

/** Replaces the record atomically. Only the owner may call it. */
export async function updateRunFile(file: string, record: RunRecord): Promise<void> {
  const temporary = temporaryName(file);
  try {
    await writeRecord(temporary, record);
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Removes `run.json` if it still names this owner. */
export async function releaseRunFile(file: string, app: ProcessIdentity): Promise<void> {
  const current = await readRunFile(file);
  if (current !== null && isSame(current.app, app)) await rm(file, { force: true });
}

/**
 * Reads `run.json`.
 *
 * @returns null when there is none; for a damaged file (power loss), a record whose owner counts as
 *   killed
 */
export async function readRunFile(file: string): Promise<RunRecord | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const record = JSON.parse(text) as RunRecord;
    if (typeof record.app.pid === 'number' && typeof record.dbPath === 'string') return record;
  } catch {
    // Damaged JSON is handled below like a record without these fields.
  }
  const stats = await stat(file).catch(() => null);
  if (stats === null) return null;
  return { app: { pid: 0, startTime: `unreadable:${stats.ino}:${stats.mtimeMs}` }, dbPath: '' };
}

/**
 * Whether the record's owner is running and owns this folder. A copy of a data folder contains the record
 * too, but the record's owner owns only the original.
 */
async function isHeld(record: RunRecord, dbPath: string): Promise<boolean> {
  return (await isAlive(record.app)) && !(await isCopy(record, dbPath));
}

/** Whether the record describes another folder, from which it was copied together with the data. */
export async function isCopy(record: RunRecord, dbPath: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all([
    stat(record.dbPath).catch(() => null),
    stat(dbPath).catch(() => null),
  ]);
  // If the recorded path no longer exists, the folder was moved here.
  if (theirs === null || ours === null) return false;
  return theirs.ino !== ours.ino || theirs.dev !== ours.dev;
}

async function removeStale(file: string, stale: RunRecord, record: RunRecord): Promise<void> {
  const guard = guardOf(file, stale.app);
  // `claimRunFile` also takes over a guard whose holder was killed.
  if (!(await claimRunFile(guard, record)).isOurs) {
    await wait(RETRY_MS);
    return;
  }
  try {
    const current = await readRunFile(file);
    if (current !== null && isSame(current.app, stale.app)) await rm(file, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

/** Path of the second lock, which a process holds while it removes the record of a killed owner. */
export function guardOf(file: string, owner: ProcessIdentity): string {
  const name = createHash('sha256').update(`${owner.pid} ${owner.startTime}`).digest('hex');
  return `${file}.${name.slice(0, 12)}`;
}

/**
 * Creates the file with its content atomically.
 *
 * @returns false when the file exists already
 */
async function createRunFile(file: string, record: RunRecord): Promise<boolean> {
  const temporary = temporaryName(file);
  try {
    await writeRecord(temporary, record);
    await link(temporary, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

function writeRecord(file: string, record: RunRecord): Promise<void> {
  return writeFile(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

function temporaryName(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}.tmp`;
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.startTime === other.startTime;
}
