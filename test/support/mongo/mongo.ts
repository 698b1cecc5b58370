import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { atEnd } from '../clean-up.js';

/** Set by global-setup.mjs. */
const MONGO_URI_VARIABLE = 'PRESSROOM_TEST_MONGODB';

/** The URI of a new database, which is dropped after the tests of the file. */
export function freshDatabaseUri(): string {
  const server = process.env[MONGO_URI_VARIABLE];
  if (!server) throw new Error(`${MONGO_URI_VARIABLE} is unset: run the tests with npm test`);
  const uri = new URL(server);
  uri.pathname = `/pressroom_${process.env['JEST_WORKER_ID'] ?? '0'}_${randomBytes(6).toString('hex')}`;
  atEnd(async () => {
    const client = await mongoose.mongo.MongoClient.connect(uri.toString());
    await client.db().dropDatabase();
    await client.close();
  });
  return uri.toString();
}

/** The clients that tests have opened, with the hosts of their URIs. */
const clients = new Map<mongoose.mongo.MongoClient, readonly string[]>();

/**
 * Connects a test to a database, so that it can read and write documents without the server. The
 * connection is closed after the tests of the file.
 */
export async function connect(uri: string): Promise<mongoose.mongo.MongoClient> {
  const client = await mongoose.mongo.MongoClient.connect(uri);
  clients.set(client, new URL(uri).host.split(','));
  atEnd(() => {
    clients.delete(client);
    return client.close();
  });
  return client;
}

/** Closes the connections of tests to these hosts. After the end of a database that would take 30 s. */
export async function disconnect(hosts: readonly string[]): Promise<void> {
  const connected = [...clients].filter(([, of]) => of.some((host) => hosts.includes(host)));
  await Promise.all(connected.map(([client]) => client.close()));
}

/** The collections of a database, without those of MongoDB itself, such as `system.profile`. */
export async function collectionNames(db: mongoose.mongo.Db): Promise<string[]> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  return collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
}

/**
 * The collections without the heartbeats, which a server writes even if there is no request, and without the
 * counts of lists, which are derived from the blogs.
 */
export async function recordCollections(db: mongoose.mongo.Db): Promise<string[]> {
  return (await collectionNames(db)).filter(
    (name) => !['beats', 'foldings', 'lists'].includes(name),
  );
}

/**
 * The collections whose documents belong to no blog or user: the words of articles.
 * Which documents of them a request stores depends on earlier requests.
 */
export const SHARED_COLLECTIONS: readonly string[] = ['search_spellings'];
