import { EmbeddedMongoError } from './embedded-mongo.error.js';
import { seriesOf } from './binary/mongod-version.js';
import { findMongod, type FindMongodOptions, type FoundMongod } from './find-mongod.js';
import {
  explainFolderError,
  prepareDataFolder,
  readDataVersion,
  type DataFolder,
} from './folder/data-folder.js';
import type { OwnedRunFile } from './folder/owned-run-file.js';
import type { RunRecord } from './folder/run-file.js';
import { prepareSocket, removeSocket } from './folder/socket-path.js';
import { keepRunning } from './keep-running.js';
import { launchMongod, type LaunchedMongod } from './launch-mongod.js';
import { endOrphan } from './process/orphan.js';
import { isListening } from './replica-set.js';

/** Options of the owner of a data folder. Those of `findMongod` say where to look for mongod. */
export interface OwnedMongoOptions extends Omit<FindMongodOptions, 'series'> {
  /** Logs, instead of `log`, why mongod has ended or is not started again (full disk, killed). */
  readonly logError?: ((line: string) => void) | undefined;
  /** How long mongod may take to accept writes, crash recovery included; default 2 minutes. */
  readonly startTimeoutMs?: number | undefined;
  /** Returns the free bytes at a path; tests replace it. */
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** The mongod that this process runs. */
export interface OwnedMongo extends FoundMongod {
  /** Process id of the first mongod. */
  readonly pid: number;
  readonly socket: string;
  readonly stop: () => Promise<void>;
}

/** Default of `startTimeoutMs`, in milliseconds. */
export const START_TIMEOUT_MS = 120_000;

/**
 * Starts mongod in a folder that this process has claimed, after cleaning up what an earlier owner
 * left, and starts it again whenever it ends before `stop`.
 *
 * @param runFile names this process as the owner
 * @param previous the record of an owner that was killed
 * @returns when mongod accepts writes
 * @throws {MongodNotFoundError} when no mongod can be found
 * @throws {EmbeddedMongoError} when mongod does not start; no process is left then
 */
export async function startOwnedMongo(
  options: OwnedMongoOptions,
  folder: DataFolder,
  runFile: OwnedRunFile,
  previous: RunRecord | null,
): Promise<OwnedMongo> {
  await endOrphan(folder.dbPath, previous, options.log);
  // A socket that is still in use belongs to the folder of which this one is a copy.
  const leftover = previous?.mongod?.socket;
  if (leftover && !(await isListening(leftover))) await removeSocket(folder.root, leftover);
  const dataVersion = await readDataVersion(folder);
  const series = dataVersion === null ? undefined : seriesOf(dataVersion);
  const found = await findMongod({ ...options, series });
  const socket = await prepareSocket(folder.root).catch((error: unknown) => {
    throw explainFolderError(folder.root, error);
  });
  // mongod would replace a socket that another mongod listens on. That one may run in another
  // container, where its process is not visible.
  if (await isListening(socket)) {
    throw new EmbeddedMongoError(
      `Another MongoDB already serves ${folder.root}, perhaps in another container. ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const launch = (): Promise<LaunchedMongod> =>
    launchMongod({ folder, found, socket, runFile, timeoutMs, signal });
  const first = await launch().catch(async (error: unknown) => {
    await removeSocket(folder.root, socket);
    throw new EmbeddedMongoError(`${(error as Error).message} Then start again.`, { cause: error });
  });
  const { log, logError = log, freeBytes } = options;
  const startAgain = async (): Promise<LaunchedMongod> => {
    await refuseOther(folder, runFile);
    await prepareDataFolder(folder.root, freeBytes);
    return launch();
  };
  const running = keepRunning(first, { startAgain, signal, log, logError });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    // On a disk that has become read-only the socket stays; the next start removes it.
    await removeSocket(folder.root, socket).catch(() => undefined);
    await runFile.release().catch(() => undefined);
  };
  let stopped: Promise<void> | null = null;
  return { ...found, pid: first.pid, socket, stop: () => (stopped ??= stop()) };
}

/**
 * Refuses a folder that was removed, or whose disk was unmounted: it must not be begun anew as an
 * empty one.
 */
async function refuseOther({ root }: DataFolder, runFile: OwnedRunFile): Promise<void> {
  if (await runFile.isThere()) return;
  throw new EmbeddedMongoError(
    `${root} is not the folder any more in which MongoDB was started: its run.json is missing. ` +
      'Mount or move it there again, or stop this process.',
  );
}
