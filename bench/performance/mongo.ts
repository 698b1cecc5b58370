import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose, { type mongo } from 'mongoose';
import { built } from '../support/built.ts';
import { pinProcess } from '../support/cpus.ts';
import { atEnd, codeOf, messageOf, ownFolder, ownProcess } from '../support/program.ts';
import { freePort, isRunning } from './servers.ts';

const { MongoClient } = mongoose.mongo;
const REPLICA_SET = 'bench';
const DATABASE = 'pressroom';
const START_MS = 120_000;
const STOP_MS = 60_000;
const POLL_MS = 20;
/** AlreadyInitialized, NotYetInitialized, ConfigurationInProgress: not at this moment. */
const PASSING_CODES: unknown[] = [23, 94, 109];
/** The journal, the oplog and what an index build sorts on disk. */
const EXTRA_BYTES = 3 * 1024 ** 3;

export type Mongo = Awaited<ReturnType<typeof startMongo>>;

/**
 * Starts a MongoDB of the bench's own: a replica set of one member on a free port of 127.0.0.1. It
 * ends with the bench.
 *
 * @returns also `pin`, which binds all of its threads, those to come as well, to one core (null leaves
 *   them alone), and `uriOf` another database beside that of the bench
 * @param folder where the data are kept; without it, in a temporary folder that is removed at the end
 * @param dataBytes how much is going to be loaded; refused at once when the disk has no room
 */
export async function startMongo({
  folder,
  dataBytes,
  cacheGigabytes,
  log,
}: {
  folder: string | undefined;
  dataBytes: number;
  cacheGigabytes: number;
  log: (text: string) => void;
}) {
  const { findMongod } = await built('database/embedded/find-mongod');
  const { MONGOMS_SYSTEM_BINARY: systemBinary, PATH, XDG_CACHE_HOME: xdgCacheHome } = process.env;
  const found = await findMongod({ systemBinary, path: PATH, xdgCacheHome, log });
  // Before the process, so that it is removed after the process has ended.
  const dataFolder = folder ?? ownFolder().folder;
  mkdirSync(join(dataFolder, 'db'), { recursive: true });
  checkDisk(dataFolder, dataBytes + EXTRA_BYTES);
  const port = await freePort();
  const child = spawnMongod(found.path, dataFolder, port, cacheGigabytes);
  const ended = once(child, 'exit');
  atEnd(async () => {
    if (!isRunning(child)) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  });
  try {
    await awaitPrimary(port, child);
  } catch (error) {
    const said = readFileSync(join(dataFolder, 'mongod.log'), 'utf8').slice(-2_000);
    throw new Error(`MongoDB does not start: ${messageOf(error)}\n${said}`, { cause: error });
  }
  const uriOf = (database: string) =>
    `mongodb://127.0.0.1:${port}/${database}?replicaSet=${REPLICA_SET}`;
  return {
    uri: uriOf(DATABASE),
    version: found.version,
    pin: (cpu: string | null) => pinProcess(cpu, child.pid ?? NaN),
    uriOf,
  };
}

function spawnMongod(
  binary: string,
  folder: string,
  port: number,
  cacheGigabytes: number,
): ChildProcess {
  const output = openSync(join(folder, 'mongod.log'), 'a', 0o600);
  const options = [
    ...['--replSet', REPLICA_SET, '--dbpath', join(folder, 'db')],
    ...['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket', '--quiet'],
    ...['--wiredTigerCacheSizeGB', String(cacheGigabytes), '--oplogSize', '512'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
  ];
  // A group of its own: Ctrl-C must not end it before those that use it.
  const child = spawn(binary, options, { stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  return ownProcess(child);
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

/** Also gives data that were seeded on another port their new address. */
async function awaitPrimary(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_MS;
  const host = `127.0.0.1:${port}`;
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`);
  try {
    while (!(await isPrimary(client, host))) {
      if (!isRunning(child)) throw new Error('it has ended');
      if (performance.now() > deadline) throw new Error(`no primary within ${START_MS / 1_000} s`);
      await wait(POLL_MS);
    }
  } finally {
    await client.close();
  }
}

/** Where there is no primary at this address yet, it does the next step towards one. */
async function isPrimary(client: mongo.MongoClient, host: string): Promise<boolean> {
  const admin = client.db('admin');
  const { isWritablePrimary, me } = await admin.command({ hello: 1 });
  if (isWritablePrimary === true && me === host) return true;
  const configs = client
    .db('local')
    .collection<{ version: number; members: { host: string }[] }>('system.replset');
  const config = await configs.findOne({});
  const members = [{ _id: 0, host }];
  try {
    if (config === null) {
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
    } else if (config.members[0]?.host !== host) {
      // Forced: a member that does not find itself in its configuration becomes no primary.
      const moved = { ...config, version: config.version + 1, members };
      await admin.command({ replSetReconfig: moved, force: true });
    }
  } catch (error) {
    if (!PASSING_CODES.includes(codeOf(error))) throw error;
  }
  return false;
}
