import { MongoMemoryReplSet } from 'mongodb-memory-server';
import { buildIfStale } from '../../../scripts/build-if-stale.mjs';

/**
 * Starts one replica set on loopback for the whole run, with the `mongod` that the server would use.
 * Vitest's workers get its URI in PRESSROOM_TEST_MONGODB. The file imports from `dist`, because tests
 * of the scripts need the build anyway.
 */
export default async function startMongo() {
  buildIfStale();
  const { findMongod } = await import('../../../dist/database/embedded/find-mongod.js');
  const { path: systemBinary, version } = await findMongod({
    systemBinary: process.env.MONGOMS_SYSTEM_BINARY,
    path: process.env.PATH,
    xdgCacheHome: process.env.XDG_CACHE_HOME,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const mongo = await MongoMemoryReplSet.create({
    binary: { systemBinary, version, checkMD5: false },
    replSet: { count: 1, ip: '127.0.0.1', storageEngine: 'wiredTiger' },
  });
  process.env.PRESSROOM_TEST_MONGODB = mongo.getUri();
  // For tests that stop a database: they start their own with the same binary.
  process.env.PRESSROOM_TEST_MONGOD = systemBinary;
  return () => mongo.stop();
}
