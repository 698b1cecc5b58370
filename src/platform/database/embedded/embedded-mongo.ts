import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedMongoInUseError } from './embedded-mongo-in-use.error.js';
import { EmbeddedMongoError } from './embedded-mongo.error.js';
import { explainFolderError, prepareDataFolder, type DataFolder } from './folder/data-folder.js';
import { OwnedRunFile } from './folder/owned-run-file.js';
import { claimRunFile, readRunFile, type RunRecord } from './folder/run-file.js';
import { START_TIMEOUT_MS, startOwnedMongo, type OwnedMongoOptions } from './owned-mongo.js';
import { getIdentity, isAlive } from './process/process-facts.js';
import { isListening, socketUri } from './replica-set.js';

/** Options of `startEmbeddedMongo`. They include those of `findMongod`, which say where to look for mongod. */
export interface EmbeddedMongoOptions extends OwnedMongoOptions {
  /** The data folder; created if it is missing. */
  readonly dataDir: string;
  /** Name of the database in the connection string; default `pressroom`. */
  readonly database?: string | undefined;
  /** Whether to use a mongod that another process runs in this folder. By default, such a mongod is an error. */
  readonly join?: boolean | undefined;
  /** The operating system; default `process.platform`. */
  readonly platform?: NodeJS.Platform | undefined;
}

/** A MongoDB that accepts writes: a replica set of one member on a Unix socket, without a TCP port. */
export interface EmbeddedMongo {
  /** Connection string, with the database. */
  readonly uri: string;
  /** Path of the `mongod` binary. */
  readonly binary: string;
  /** Version of `mongod`, such as `6.0.5`. */
  readonly version: string;
  /** Process id of the `mongod` that runs now. A `mongod` that replaces it later has another one. */
  readonly pid: number;
  /** Whether another process owns the `mongod`; `noteUrl` and `stop` then do nothing. */
  readonly joined: boolean;
  /** Notes in `run.json` where the server listens, for commands that call the server. */
  readonly noteUrl: (url: string) => Promise<void>;
  /** Stops mongod and releases the folder. Close connections before. It may be called again. */
  readonly stop: () => Promise<void>;
}

const DEFAULT_DATABASE = 'pressroom';
const JOIN_POLL_MS = 50;

/**
 * Starts the MongoDB of a data folder, or uses the running one (option `join`). Before a start, cleans up
 * what a killed owner left. mongod ends with this process, even if this process is killed. If mongod ends
 * before `stop`, it is started again and the connection string stays the same.
 *
 * @throws {EmbeddedMongoInUseError} when another running process owns the folder
 * @throws {MongodNotFoundError} when no mongod, or none of the series of the data, can be found
 * @throws {EmbeddedMongoError} when the folder cannot be used (read-only, full, data of another version), mongod
 *   does not start, or the system has no Unix sockets
 */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  if ((options.platform ?? process.platform) === 'win32') {
    throw new EmbeddedMongoError(
      'The embedded MongoDB needs Unix sockets, which MongoDB for Windows lacks. ' +
        'Run Pressroom inside WSL, or set MONGODB_URI to a MongoDB that is already running.',
    );
  }
  const database = options.database ?? DEFAULT_DATABASE;
  const folder = await prepareDataFolder(options.dataDir, options.freeBytes);
  const app = await getIdentity(process.pid);
  for (;;) {
    const record = { app, dbPath: folder.dbPath };
    const claim = await claimRunFile(folder.runFile, record).catch((error: unknown) => {
      throw explainFolderError(folder.root, error);
    });
    if (!claim.isOurs) {
      if (!options.join) throw new EmbeddedMongoInUseError(folder.root, claim.owner.app.pid);
      const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
      const running = await awaitRunning(folder, claim.owner, timeoutMs);
      // The owner ended while we waited: try to claim the folder again.
      if (running === null) continue;
      const { binary, version, pid, socket } = running;
      const uri = socketUri(socket, database);
      const noop = (): Promise<void> => Promise.resolve();
      return { uri, binary, version, pid, joined: true, noteUrl: noop, stop: noop };
    }
    const runFile = new OwnedRunFile(folder.runFile, record);
    try {
      const owned = await startOwnedMongo(options, folder, runFile, claim.previous);
      const { path, version, pid, socket, stop } = owned;
      const noteUrl = (url: string): Promise<void> => runFile.update({ url });
      const uri = socketUri(socket, database);
      return { uri, binary: path, version, pid, joined: false, noteUrl, stop };
    } catch (error) {
      await runFile.release().catch(() => undefined);
      throw error;
    }
  }
}

/**
 * Waits until the mongod that another process owns accepts writes.
 *
 * @returns null when the owner has ended
 * @throws {EmbeddedMongoError} after `timeoutMs`
 */
async function awaitRunning(
  { root, runFile }: DataFolder,
  owner: RunRecord,
  timeoutMs: number,
): Promise<NonNullable<RunRecord['mongod']> | null> {
  const deadline = performance.now() + timeoutMs;
  while (await isAlive(owner.app)) {
    const mongod = (await readRunFile(runFile))?.mongod;
    if (mongod?.isReady && (await isListening(mongod.socket))) return mongod;
    if (performance.now() > deadline) {
      throw new EmbeddedMongoError(
        `The Pressroom process ${owner.app.pid} owns ${root}, but its MongoDB does not answer. ` +
          'Stop that process, then start again.',
      );
    }
    await wait(JOIN_POLL_MS);
  }
  return null;
}
