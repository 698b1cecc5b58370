import { EmbeddedMongoError } from './embedded-mongo.error.js';
import { seriesOf } from './binary/mongod-version.js';
import { findMongod, type FindMongodOptions, type FoundMongod } from './find-mongod.js';
import {
  explainFolderError,
  freeBytesOf,
  readDataVersion,
  writeDataVersion,
  type DataFolder,
} from './folder/data-folder.js';
import { releaseRunFile, updateRunFile, type RunRecord } from './folder/run-file.js';
import { prepareSocket, removeSocket } from './folder/socket-path.js';
import { explainMongodExit } from './process/mongod-exit.js';
import { keepLogSmall, logSize, readLogTail, rotateLog } from './process/mongod-log.js';
import { startMongod, type MongodProcess } from './process/mongod-process.js';
import { endOrphan } from './process/orphan.js';
import type { ProcessIdentity } from './process/process-facts.js';
import { awaitPrimary, isListening } from './replica-set.js';

/** Options of the owner of a data folder. Those of `findMongod` say where to look for mongod. */
export interface OwnedMongoOptions extends Omit<FindMongodOptions, 'series'> {
  /** Called once, instead of `log`, when mongod ends unexpectedly (full disk, killed). */
  readonly onUnexpectedEnd?: ((error: EmbeddedMongoError) => void) | undefined;
  /** How long mongod may take to accept writes, crash recovery included; default 2 minutes. */
  readonly startTimeoutMs?: number | undefined;
}

/** The mongod that this process runs. */
export interface OwnedMongo extends FoundMongod {
  readonly pid: number;
  readonly socket: string;
  readonly stop: () => Promise<void>;
}

/** Default of `startTimeoutMs`. */
export const START_TIMEOUT_MS = 120_000;

/**
 * Starts mongod in a folder that this process has claimed, after cleaning up what an earlier owner
 * left.
 *
 * @param app this process, the owner in `run.json`
 * @param previous the record of an owner that was killed
 * @returns when mongod accepts writes
 * @throws {MongodNotFoundError} when no mongod can be found
 * @throws {EmbeddedMongoError} when mongod does not start; no process is left then
 */
export async function startOwnedMongo(
  options: OwnedMongoOptions,
  folder: DataFolder,
  app: ProcessIdentity,
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
  try {
    return await launch(options, folder, app, found, socket);
  } catch (error) {
    await removeSocket(folder.root, socket);
    throw error;
  }
}

async function launch(
  options: OwnedMongoOptions,
  folder: DataFolder,
  app: ProcessIdentity,
  found: FoundMongod,
  socket: string,
): Promise<OwnedMongo> {
  const { dbPath, logFile, root, runFile } = folder;
  const binary = found.path;
  await rotateLog(logFile);
  const logStart = await logSize(logFile);
  const mongod = await startMongod({ binary, dbPath, socket, logFile }).catch((error: unknown) => {
    throw explainFolderError(root, error);
  });
  const explain = async (code: number | null, more = ''): Promise<EmbeddedMongoError> => {
    const log = `${await readLogTail(logFile, logStart)}\n${more}`;
    const freeBytes = await freeBytesOf(root).catch(() => Infinity);
    return explainMongodExit({ code, log, freeBytes, version: found.version, root, logFile });
  };
  try {
    const record = { ...mongod.identity, binary, version: found.version, socket };
    await updateRunFile(runFile, { app, dbPath, mongod: { ...record, isReady: false } });
    const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
    if (!(await awaitPrimary(socket, mongod.isRunning, timeoutMs))) {
      throw await explain(await mongod.ended);
    }
    await writeDataVersion(folder, found.version);
    await updateRunFile(runFile, { app, dbPath, mongod: { ...record, isReady: true } });
  } catch (error) {
    await mongod.end();
    if (error instanceof EmbeddedMongoError) throw error;
    throw await explain(null, error instanceof Error ? error.message : String(error));
  }
  const stop = watchOver(mongod, folder, socket, app, async (code) => {
    const error = await explain(code);
    if (options.onUnexpectedEnd) options.onUnexpectedEnd(error);
    else options.log(error.message);
  });
  return { ...found, pid: mongod.identity.pid, socket, stop };
}

/** Limits the size of the log and reports an unexpected end of mongod. @returns `stop` */
function watchOver(
  mongod: MongodProcess,
  { logFile, root, runFile }: DataFolder,
  socket: string,
  app: ProcessIdentity,
  onUnexpectedEnd: (code: number | null) => Promise<void>,
): () => Promise<void> {
  mongod.unref();
  const endLogWatch = keepLogSmall(logFile);
  let stopping: Promise<void> | null = null;
  void mongod.ended.then(async (code) => {
    endLogWatch();
    if (stopping === null) await onUnexpectedEnd(code);
  });
  const stop = async (): Promise<void> => {
    await mongod.end();
    await removeSocket(root, socket);
    await releaseRunFile(runFile, app);
  };
  return () => (stopping ??= stop());
}
