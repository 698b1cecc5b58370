import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { startLogged } from '../../../scripts/support/logged-process.ts';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { built } from '../built.ts';
import { pinProcess } from '../machine/cpus.ts';
import { cpuSecondsOf } from '../machine/processes.ts';
import { atEnd, ownFolder, ownProcess } from '../program.ts';
import { freePort } from '../../../scripts/support/network/free-port.ts';

/** The name by which `awaitPrimary` initiates the replica set. */
const REPLICA_SET = 'pressroom';
const DATABASE = 'pressroom';
const START_MS = 120_000;
const STOP_MS = 60_000;
/** Disk space for the journal, the oplog and the temporary files of index builds, in bytes. */
const EXTRA_BYTES = 3 * 1024 ** 3;

export type Mongo = Awaited<ReturnType<typeof startMongo>>;

/**
 * Starts a MongoDB for the bench: a replica set of one member on a free port of 127.0.0.1 and on a socket. Through
 * the socket the server's own code initiates the replica set. The MongoDB ends with the bench.
 * @returns the MongoDB with `pin`, which binds all its present and future threads to one core (null changes nothing),
 *   and `uriOf`, which returns the URI of another database on it
 * @param folder folder of the data; without it, a temporary folder that is removed at the end
 * @param dataBytes bytes that will be loaded; without that much free disk space the start fails at once
 */
export async function startMongo({
  folder,
  dataBytes = 0,
  cacheGigabytes = 1,
}: {
  folder?: string | undefined;
  dataBytes?: number;
  cacheGigabytes?: number;
}) {
  const { awaitPrimary } = await built('platform/database/embedded/replica-set');
  const found = await foundMongod();
  // The folder is registered before the process, so that it is removed after the process has ended.
  const dataFolder = folder ?? ownFolder().folder;
  mkdirSync(join(dataFolder, 'db'), { recursive: true });
  checkDisk(dataFolder, dataBytes + EXTRA_BYTES);
  const port = await freePort();
  const socket = join(ownFolder().folder, 'mongod.sock');
  const options = [
    `--replSet=${REPLICA_SET}`,
    `--dbpath=${join(dataFolder, 'db')}`,
    `--bind_ip=127.0.0.1,${socket}`,
    `--port=${port}`,
    '--nounixsocket',
    '--quiet',
    `--wiredTigerCacheSizeGB=${cacheGigabytes}`,
    '--oplogSize=512',
    '--setParameter=diagnosticDataCollectionEnabled=false',
    '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
  ];
  const mongod = startLogged([found.path, options], join(dataFolder, 'mongod.log'), {
    stopMs: STOP_MS,
    // The process has a group of its own: Ctrl-C must not end it before the programs that use it.
    detached: true,
  });
  ownProcess(mongod.child);
  atEnd(mongod.stop);
  try {
    if (!(await awaitPrimary(socket, mongod.isRunning, START_MS))) throw new Error('it has ended');
  } catch (error) {
    const said = mongod.readLog().slice(-2_000);
    throw new Error(`MongoDB does not start: ${messageOf(error)}\n${said}`, { cause: error });
  }
  const { pid } = mongod;
  const uriOf = (database: string) =>
    `mongodb://127.0.0.1:${port}/${database}?directConnection=true`;
  return {
    uri: uriOf(DATABASE),
    uriOf,
    version: found.version,
    cpuSeconds: () => cpuSecondsOf(pid),
    pin: (cpu: string | null) => pinProcess(cpu, pid),
  };
}

/** @returns path and version of the `mongod` that the server would run */
export async function foundMongod() {
  const { findMongod } = await built('platform/database/embedded/find-mongod');
  const { MONGOMS_SYSTEM_BINARY: systemBinary, PATH, XDG_CACHE_HOME: xdgCacheHome } = process.env;
  return findMongod({ systemBinary, path: PATH, xdgCacheHome, log: console.error });
}

function checkDisk(folder: string, needed: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const gigabytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  if (bavail * bsize >= needed) return;
  throw new Error(
    `${folder} has ${gigabytes(bavail * bsize)} free, ${gigabytes(needed)} are needed: ` +
      'choose a smaller --count or another --data folder',
  );
}
