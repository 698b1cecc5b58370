import { EmbeddedMongoError } from '../embedded-mongo.error.js';

/** What is known when mongod has ended unexpectedly. */
export interface MongodExit {
  /** Exit code; 128 + n after signal n, as in a shell; null when unknown. */
  readonly code: number | null;
  /** What mongod has logged since its start. */
  readonly log: string;
  /** Free space on the disk of the data, in bytes. */
  readonly freeBytes: number;
  /** Version of the binary. */
  readonly version: string;
  /** The data folder. */
  readonly root: string;
  readonly logFile: string;
}

/** Exit code of a mongod that cannot open data of another version (src/mongo/util/exit_code.h). */
const EXIT_NEED_UPGRADE = 62;
/** Exit codes after a signal: 128 + the number of the signal. */
const EXIT_SIGILL = 132;
const EXIT_SIGKILL = 137;
/** A disk with fewer free bytes counts as full. */
const FULL_DISK_BYTES = 16 * 1024 * 1024;

/**
 * Returns an error that says why mongod ended and what helps. The caller adds whether the operator or
 * Pressroom starts MongoDB again. In most cases the log has the cause. On a full disk the log may be empty,
 * so free space is checked as well.
 */
export function explainMongodExit(exit: MongodExit): EmbeddedMongoError {
  return new EmbeddedMongoError(`${whatHappened(exit)} Its log is ${exit.logFile}.`);
}

function whatHappened({ code, log, freeBytes, version, root }: MongodExit): string {
  if (code === EXIT_NEED_UPGRADE || /UPGRADE PROBLEM|Wrong mongod version/.test(log)) {
    return explainVersionMismatch(root, loggedCompatibilityVersion(log), version);
  }
  if (/No space left on device|Disk quota exceeded|OutOfDiskSpace/i.test(log)) {
    return `MongoDB ended because the disk of ${root} is full. ${FULL_DISK_ADVICE}`;
  }
  if (/Read-only file system|"EROFS"/i.test(log)) {
    return `MongoDB ended because ${root} is on a read-only file system. Mount it writable, or set DATA_DIR to a folder that can be written.`;
  }
  if (/DBPathInUse|Unable to lock the lock file|Unable to create\/open the lock file/.test(log)) {
    return `MongoDB did not start because another mongod holds ${root}, perhaps in another container. Stop that one, or set DATA_DIR to another folder.`;
  }
  if (/Permission denied|Operation not permitted/.test(log)) {
    return `MongoDB ended because some file in ${root} belongs to another user. Change its owner, or set DATA_DIR to another folder.`;
  }
  if (code === EXIT_SIGILL) {
    return 'MongoDB cannot run on this processor, which lacks AVX instructions. Set MONGODB_URI to a MongoDB on another machine.';
  }
  if (freeBytes < FULL_DISK_BYTES) {
    return `MongoDB ended (${describeCode(code)}) and the disk of ${root} is full. ${FULL_DISK_ADVICE}`;
  }
  if (code === EXIT_SIGKILL) {
    return 'MongoDB was killed from outside, most often by the system when memory runs out. Free some memory; no acknowledged write is lost.';
  }
  const cause = lastError(log);
  return `MongoDB ended (${describeCode(code)})${cause === null ? '' : `: ${cause}`}. No acknowledged write is lost.`;
}

const FULL_DISK_ADVICE =
  'Free some space, or set DATA_DIR to a folder on another disk; no acknowledged write is lost.';

/**
 * @param dataSeries release series of the data, such as `6.0`; null when unknown
 * @param version version of the binary
 */
function explainVersionMismatch(root: string, dataSeries: string | null, version: string): string {
  const writer = dataSeries === null ? 'another version' : `version ${dataSeries}`;
  const binary =
    dataSeries === null ? 'mongod of the version that wrote it' : `mongod ${dataSeries}`;
  return (
    `The data in ${root} was written by ${writer} of MongoDB, and ${version} cannot open it. ` +
    `Set MONGOMS_SYSTEM_BINARY to a ${binary}, or set DATA_DIR to another folder to begin with an empty database. ` +
    'The data was not touched.'
  );
}

/** The featureCompatibilityVersion of the data, which mongod logs if it cannot open the data; else null. */
function loggedCompatibilityVersion(log: string): string | null {
  return /featureCompatibilityVersion[^\n]*?\bversion: \\?"(\d+\.\d+)\\?"/.exec(log)?.[1] ?? null;
}

/** The last line of a mongod log that is either plain text or a JSON entry of severity E or F (error, fatal). */
function lastError(log: string): string | null {
  const lines = log.trim().split('\n').reverse();
  for (const line of lines) {
    try {
      const entry = JSON.parse(line) as { s?: string; msg?: string; attr?: { error?: unknown } };
      if (entry.s !== 'F' && entry.s !== 'E') continue;
      const { error } = entry.attr ?? {};
      return `${entry.msg?.trim()}${typeof error === 'string' ? ` (${error})` : ''}`;
    } catch {
      if (line.trim() !== '') return line.trim();
    }
  }
  return null;
}

function describeCode(code: number | null): string {
  if (code === null) return 'without an exit code';
  return code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
}
