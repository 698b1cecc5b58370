import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { REPLICA_SET } from './process/mongod-process.js';

const POLL_MS = 10;
/** Codes of temporary errors of mongod, after which the command is tried again. */
const TEMPORARY_CODES: readonly unknown[] = [
  23, // AlreadyInitialized: mongod is still loading its stored configuration
  94, // NotYetInitialized
  109, // ConfigurationInProgress
];

interface Hello {
  readonly isWritablePrimary: boolean;
  readonly me?: string;
}

interface ReplicaSetConfig {
  readonly version: number;
  readonly members: readonly { readonly host: string }[];
}

/**
 * The connection string of a database on a socket. `directConnection` keeps the driver from looking for
 * other members. The default write concern of the replica set is majority, so the string has none.
 */
export function socketUri(socket: string, database: string): string {
  return `mongodb://${encodeURIComponent(socket)}/${encodeURIComponent(database)}?directConnection=true`;
}

/** Whether a process listens at the socket. */
export function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.on('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });
}

/**
 * Waits until mongod accepts writes. Initiates the replica set for new data, and reconfigures it with
 * the new socket for a data folder that was moved.
 *
 * @param isRunning whether mongod is running; waiting ends when it is not
 * @param timeoutMs limit of the whole wait
 * @returns true when mongod is primary; false when mongod has ended
 * @throws {Error} after the timeout, or when a command fails, such as on a full disk
 */
export async function awaitPrimary(
  socket: string,
  isRunning: () => boolean,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  // Whether mongod is running. Throws after the deadline.
  const canWait = (): boolean => {
    if (performance.now() > deadline) {
      throw new Error(`MongoDB did not become ready within ${timeoutMs / 1000} s.`);
    }
    return isRunning();
  };
  while (!(await isListening(socket))) {
    if (!canWait()) return false;
    await wait(POLL_MS);
  }
  // Mongoose is imported here, because mongod starts meanwhile.
  const { default: mongoose } = await import('mongoose');
  const client = new mongoose.mongo.MongoClient(socketUri(socket, 'admin'), {
    serverSelectionTimeoutMS: 5_000,
  });
  try {
    await client.connect();
    while (canWait()) {
      if (await configure(client, socket)) return true;
      await wait(POLL_MS);
    }
    return false;
  } catch (error) {
    if (!isRunning()) return false;
    throw error;
  } finally {
    await client.close();
  }
}

/**
 * Initiates or reconfigures the replica set if needed.
 *
 * @returns whether mongod is primary now
 */
async function configure(client: mongo.MongoClient, socket: string): Promise<boolean> {
  const admin = client.db('admin');
  const { isWritablePrimary, me } = (await admin.command({ hello: 1 })) as unknown as Hello;
  if (isWritablePrimary && me === socket) return true;
  const local = client.db('local');
  const config = await local.collection<ReplicaSetConfig>('system.replset').findOne({});
  if (config === null) {
    // A single member elects itself at once, whatever the timeout, which is low in case members are ever added.
    const settings = { electionTimeoutMillis: 1_000 };
    await attempt(client, {
      replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host: socket }], settings },
    });
    return false;
  }
  if (config.members[0]?.host === socket) return isWritablePrimary;
  // The folder was moved, and the stored configuration names the old socket. A member that its
  // configuration does not name cannot become primary, and without `force` only a primary accepts a
  // reconfiguration.
  const members = [{ ...config.members[0], host: socket }];
  const moved = { ...config, version: config.version + 1, members };
  await attempt(client, { replSetReconfig: moved, force: true });
  return false;
}

/** Runs a command, and ignores temporary errors. */
async function attempt(client: mongo.MongoClient, command: Record<string, unknown>): Promise<void> {
  try {
    await client.db('admin').command(command);
  } catch (error) {
    if (!TEMPORARY_CODES.includes((error as { code?: unknown }).code)) throw error;
  }
}
