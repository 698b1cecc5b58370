import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { REPLICA_SET } from './process/mongod-process.js';

const { MongoClient } = mongoose.mongo;
type Client = InstanceType<typeof MongoClient>;

const POLL_MS = 10;
/** Answers of mongod that only mean: not at this moment. */
const PASSING_CODES: readonly unknown[] = [
  23, // AlreadyInitialized: its stored configuration is still being loaded
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
 * The connection string of a database behind a socket. Direct, so that the driver asks this member and
 * nobody else. Writes need no option: the set's default concern is majority, which includes the journal.
 */
export function socketUri(socket: string, database: string): string {
  return `mongodb://${encodeURIComponent(socket)}/${encodeURIComponent(database)}?directConnection=true`;
}

/** Whether somebody listens at the socket. */
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
 * Brings a mongod to where it accepts writes: waits for it to listen, initiates the replica set on new
 * data, and gives it its new address on data that was moved.
 *
 * @param isRunning tells whether mongod still lives; waiting ends when it does not
 * @param timeoutMs how long to wait in all
 * @returns true when it is primary; false when mongod ended meanwhile
 * @throws {Error} when the time is over, or mongod refuses (such as on a full disk)
 */
export async function awaitPrimary(
  socket: string,
  isRunning: () => boolean,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const inTime = (): boolean => {
    if (performance.now() > deadline) {
      throw new Error(`MongoDB did not become ready within ${timeoutMs / 1000} s.`);
    }
    return isRunning();
  };
  while (!(await isListening(socket))) {
    if (!inTime()) return false;
    await wait(POLL_MS);
  }
  const client = new MongoClient(socketUri(socket, 'admin'), { serverSelectionTimeoutMS: 5_000 });
  try {
    await client.connect();
    while (inTime()) {
      if (await advance(client, socket)) return true;
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

/** One step towards a primary at this address; true when there is one. */
async function advance(client: Client, socket: string): Promise<boolean> {
  const admin = client.db('admin');
  const { isWritablePrimary, me } = (await admin.command({ hello: 1 })) as unknown as Hello;
  if (isWritablePrimary && me === socket) return true;
  const local = client.db('local');
  const config = await local.collection<ReplicaSetConfig>('system.replset').findOne({});
  if (config === null) {
    // One member waits for nobody, so the election time does not matter; low, should that ever change.
    const settings = { electionTimeoutMillis: 1_000 };
    await attempt(client, {
      replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host: socket }], settings },
    });
    return false;
  }
  if (config.members[0]?.host === socket) return isWritablePrimary;
  // The folder was moved. Forced, since a member that does not find itself in its configuration
  // becomes no primary, and only a primary takes an ordinary change.
  const members = [{ ...config.members[0], host: socket }];
  const moved = { ...config, version: config.version + 1, members };
  await attempt(client, { replSetReconfig: moved, force: true });
  return false;
}

async function attempt(client: Client, command: Record<string, unknown>): Promise<void> {
  try {
    await client.db('admin').command(command);
  } catch (error) {
    if (!PASSING_CODES.includes((error as { code?: unknown }).code)) throw error;
  }
}
