import { EmbeddedMongoError } from './embedded-mongo.error.js';
import type { FoundMongod } from './find-mongod.js';
import {
  explainFolderError,
  freeBytesOf,
  writeDataVersion,
  type DataFolder,
} from './folder/data-folder.js';
import type { OwnedRunFile } from './folder/owned-run-file.js';
import { explainMongodExit } from './process/mongod-exit.js';
import { keepLogSmall, logSize, readLogTail, rotateLog } from './process/mongod-log.js';
import { startMongod } from './process/mongod-process.js';
import { awaitPrimary } from './replica-set.js';

/**
 * Milliseconds between SIGTERM and SIGKILL for a mongod that is not ready yet. MongoDB 6.0 may hang when
 * it gets SIGTERM during its start. A mongod that is not ready has acknowledged no write since its start, so
 * SIGKILL loses none.
 */
const KILL_AFTER_MS = 2_000;

export interface LaunchOptions {
  readonly folder: DataFolder;
  readonly found: FoundMongod;
  readonly socket: string;
  readonly runFile: OwnedRunFile;
  /** Milliseconds that mongod may take to accept writes. */
  readonly timeoutMs: number;
  /** Ends mongod, during its start as well. */
  readonly signal: AbortSignal;
  /** Called when the process of mongod exists. */
  readonly onSpawn?: (() => void) | undefined;
}

/** A mongod that accepts writes. */
export interface LaunchedMongod {
  readonly pid: number;
  /** Resolves when mongod has ended, with the likely reason from its log. */
  readonly ended: Promise<EmbeddedMongoError>;
}

/**
 * Starts mongod in a folder that this process has claimed, and records in `run.json` whether it is ready.
 *
 * @returns when mongod accepts writes
 * @throws {EmbeddedMongoError} when mongod does not start; then no mongod is left running
 */
export async function launchMongod({
  folder,
  found: { path: binary, version },
  socket,
  runFile,
  timeoutMs,
  signal,
  onSpawn,
}: LaunchOptions): Promise<LaunchedMongod> {
  const { dbPath, logFile, root } = folder;
  const toFolderError = (error: unknown): never => {
    throw explainFolderError(root, error);
  };
  await rotateLog(logFile).catch(toFolderError);
  const logStart = await logSize(logFile);
  const mongod = await startMongod({ binary, dbPath, socket, logFile }).catch(toFolderError);
  let isReady = false;
  const end = (): void => void mongod.end(isReady ? undefined : KILL_AFTER_MS);
  signal.addEventListener('abort', end);
  // The signal may have been aborted during the start, before the listener was added.
  if (signal.aborted) end();
  const endLogWatch = keepLogSmall(logFile);
  const ended = mongod.ended.then(async (code) => {
    signal.removeEventListener('abort', end);
    endLogWatch();
    await runFile.noteOutage();
    return code;
  });
  const explain = async (code: number | null, more = ''): Promise<EmbeddedMongoError> => {
    const log = `${await readLogTail(logFile, logStart)}\n${more}`;
    const freeBytes = await freeBytesOf(root).catch(() => Infinity);
    return explainMongodExit({ code, log, freeBytes, version, root, logFile });
  };
  try {
    const record = { ...mongod.identity, binary, version, socket };
    await runFile.update({ mongod: { ...record, isReady: false } });
    onSpawn?.();
    const isPrimary = await awaitPrimary(socket, mongod.isRunning, timeoutMs);
    if (!isPrimary) throw await explain(await ended);
    await writeDataVersion(folder, version);
    isReady = true;
    await runFile.update({ mongod: { ...record, isReady } });
  } catch (error) {
    await mongod.end(KILL_AFTER_MS);
    await ended;
    if (error instanceof EmbeddedMongoError) throw error;
    throw await explain(null, error instanceof Error ? error.message : String(error));
  }
  // mongod does not keep this process from exiting. After an exit without `signal`, the watcher ends mongod.
  mongod.unref();
  return { pid: mongod.identity.pid, ended: ended.then((code) => explain(code)) };
}
