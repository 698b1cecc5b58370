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

/** Options of `startOwnedMongo`. They include those of `findMongod`, which say where to look for mongod. */
export interface OwnedMongoOptions extends Omit<FindMongodOptions, 'series'> {
  /** Logs why mongod has ended or could not be started again (full disk, killed); default `log`. */
  readonly logError?: ((line: string) => void) | undefined;
  /** Milliseconds that mongod may take to accept writes, crash recovery included; default 2 minutes. */
  readonly startTimeoutMs?: number | undefined;
  /** Called when the process of mongod exists, long before mongod accepts writes. */
  readonly onSpawn?: (() => void) | undefined;
  /** Returns the free bytes at a path; tests replace it. */
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
}

/** The mongod that this process runs. */
export interface OwnedMongo extends FoundMongod {
  /** Process id of the first mongod. A mongod that replaces it later has another one. */
  readonly pid: number;
  readonly socket: string;
  readonly stop: () => Promise<void>;
}

/** Default of `startTimeoutMs`, in milliseconds. */
export const START_TIMEOUT_MS = 120_000;

/**
 * Starts mongod in a folder that this process has claimed. First cleans up what a killed owner left. Starts
 * mongod again whenever it ends before `stop`.
 *
 * @param runFile names this process as the owner
 * @param previous the record of an owner that was killed
 * @returns when mongod accepts writes
 * @throws {MongodNotFoundError} when no mongod can be found
 * @throws {EmbeddedMongoError} when mongod does not start; then no mongod is left running
 */
export async function startOwnedMongo(
  options: OwnedMongoOptions,
  folder: DataFolder,
  runFile: OwnedRunFile,
  previous: RunRecord | null,
): Promise<OwnedMongo> {
  await endOrphan(folder.dbPath, previous, options.log);
  // If a mongod still listens at the recorded socket, this folder is a copy, and the mongod serves the original.
  const recordedSocket = previous?.mongod?.socket;
  if (recordedSocket && !(await isListening(recordedSocket)))
    await removeSocket(folder.root, recordedSocket);
  const dataVersion = await readDataVersion(folder);
  const series = dataVersion === null ? undefined : seriesOf(dataVersion);
  const found = await findMongod({ ...options, series });
  const socket = await prepareSocket(folder.root).catch((error: unknown) => {
    throw explainFolderError(folder.root, error);
  });
  // A start would replace the socket of another mongod, which may run unseen in another container.
  if (await isListening(socket)) {
    throw new EmbeddedMongoError(
      `Another MongoDB already serves ${folder.root}, perhaps in another container. ` +
        'Stop it, or set DATA_DIR to another folder.',
    );
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  const { onSpawn } = options;
  const launch = (): Promise<LaunchedMongod> =>
    launchMongod({ folder, found, socket, runFile, timeoutMs, signal, onSpawn });
  const first = await launch().catch(async (error: unknown) => {
    await removeSocket(folder.root, socket);
    throw new EmbeddedMongoError(`${(error as Error).message} Then start again.`, { cause: error });
  });
  const { log, logError = log, freeBytes } = options;
  const startAgain = async (): Promise<LaunchedMongod> => {
    await requireSameFolder(folder, runFile);
    await prepareDataFolder(folder.root, freeBytes);
    return launch();
  };
  const running = keepRunning(first, { startAgain, signal, log, logError });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    // If the disk has become read-only, the socket stays, and the next start removes it.
    await removeSocket(folder.root, socket).catch(() => undefined);
    await runFile.release().catch(() => undefined);
  };
  let stopped: Promise<void> | null = null;
  return { ...found, pid: first.pid, socket, stop: () => (stopped ??= stop()) };
}

/**
 * Throws if the folder was removed or its disk was unmounted. Without this check, mongod would start with an
 * empty database in a new folder at the same path.
 */
async function requireSameFolder({ root }: DataFolder, runFile: OwnedRunFile): Promise<void> {
  if (await runFile.isStillOurs()) return;
  throw new EmbeddedMongoError(
    `${root} is not the folder any more in which MongoDB was started: its run.json is missing. ` +
      'Mount or move it there again, or stop this process.',
  );
}
