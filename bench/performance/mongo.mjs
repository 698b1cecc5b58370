import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { atEnd, ownFolder, ownProcess } from './clean-up.mjs';
import { pinProcess } from './cpus.mjs';
import { freePort } from './servers.mjs';

const { MongoClient } = mongoose.mongo;
const REPLICA_SET = 'bench';
const DATABASE = 'pressroom';
const START_MS = 120_000;
const STOP_MS = 60_000;
const POLL_MS = 20;
/** AlreadyInitialized, NotYetInitialized, ConfigurationInProgress: not at this moment. */
const PASSING_CODES = [23, 94, 109];
/** The journal, the oplog and what an index build sorts on disk. */
const EXTRA_BYTES = 3 * 1024 ** 3;

/**
 * Starts a MongoDB of the bench's own: a replica set of one member on a free port of 127.0.0.1. It
 * ends with the bench.
 *
 * @param folder where the data are kept; without it, in a temporary folder that is removed at the end
 * @param dataBytes how much is going to be loaded; refused at once when the disk has no room
 * @returns its address, and `pin(cpu)`, `client()` and `stop()`
 */
export async function startMongo({ folder, dataBytes = 0, cacheGigabytes = 1, log = () => {} }) {
  const { findMongod } = await import('../../dist/database/embedded/find-mongod.js');
  const { env } = process;
  const found = await findMongod({
    systemBinary: env.MONGOMS_SYSTEM_BINARY,
    path: env.PATH,
    xdgCacheHome: env.XDG_CACHE_HOME,
    log,
  });
  const dataFolder = folder ?? mkdtempSync(join(tmpdir(), 'pressroom-bench-'));
  // Before the process, so that it is undone after it.
  if (folder === undefined) ownFolder(dataFolder);
  mkdirSync(join(dataFolder, 'db'), { recursive: true });
  checkDisk(dataFolder, dataBytes + EXTRA_BYTES);
  const port = await freePort();
  const child = spawnMongod(found.path, dataFolder, port, cacheGigabytes);
  const ended = once(child, 'exit');
  const mongo = {
    uri: uriOf(port, DATABASE),
    version: found.version,
    folder: dataFolder,
    pid: child.pid,
    /** Binds all of its threads, those to come as well, to one core; null leaves them alone. */
    pin: (cpu) => pinProcess(cpu, child.pid),
    client: () => MongoClient.connect(mongo.uri),
    /** Of another database beside that of the bench. */
    uriOf: (database) => uriOf(port, database),
    async stop() {
      forget();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    },
  };
  const forget = atEnd(() => mongo.stop());
  try {
    await awaitPrimary(port, () => child.exitCode === null && child.signalCode === null);
  } catch (error) {
    const log = readFileSync(join(dataFolder, 'mongod.log'), 'utf8').slice(-2_000);
    await mongo.stop();
    throw new Error(`MongoDB does not start: ${error.message}\n${log}`, { cause: error });
  }
  return mongo;
}

function uriOf(port, database) {
  return `mongodb://127.0.0.1:${port}/${database}?replicaSet=${REPLICA_SET}`;
}

function spawnMongod(binary, folder, port, cacheGigabytes) {
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

function checkDisk(folder, needed) {
  const { bavail, bsize } = statfsSync(folder);
  const gigabytes = (bytes) => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  if (bavail * bsize >= needed) return;
  throw new Error(
    `${folder} has ${gigabytes(bavail * bsize)} free, ${gigabytes(needed)} are needed: ` +
      'choose a smaller --count or another --data folder',
  );
}

/** Also gives data that were seeded on another port their new address. */
async function awaitPrimary(port, isRunning) {
  const deadline = performance.now() + START_MS;
  const inTime = () => {
    if (!isRunning()) throw new Error('it has ended');
    if (performance.now() > deadline) throw new Error(`no primary within ${START_MS / 1_000} s`);
    return true;
  };
  while (inTime() && !(await isListening(port))) await wait(POLL_MS);
  const host = `127.0.0.1:${port}`;
  const client = await MongoClient.connect(`mongodb://${host}/?directConnection=true`);
  try {
    while (inTime() && !(await advance(client, host))) await wait(POLL_MS);
  } finally {
    await client.close();
  }
}

function isListening(port) {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1');
    probe.on('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
}

/** One step towards a primary at this address; true when there is one. */
async function advance(client, host) {
  const admin = client.db('admin');
  const { isWritablePrimary, me } = await admin.command({ hello: 1 });
  if (isWritablePrimary && me === host) return true;
  const config = await client.db('local').collection('system.replset').findOne({});
  const members = [{ _id: 0, host }];
  try {
    if (config === null) {
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
    } else if (config.members[0].host !== host) {
      // Forced: a member that does not find itself in its configuration becomes no primary.
      const moved = { ...config, version: config.version + 1, members };
      await admin.command({ replSetReconfig: moved, force: true });
    }
  } catch (error) {
    if (!PASSING_CODES.includes(error.code)) throw error;
  }
  return false;
}
