import { MongoMemoryReplSet } from 'mongodb-memory-server';

/**
 * Starts a replica set of one member on loopback, with the `mongod` that the server would use. `dist` must be built,
 * because this function imports code from it.
 *
 * @param {object} replSet further settings for mongodb-memory-server
 * @param {string} [dbPath] an empty folder for the data, which stays; without it, a temporary one
 * @returns the running replica set, and the path of its `mongod`
 */
export async function startReplicaSet(replSet = {}, dbPath = undefined) {
  const { findMongod } = await import('../../build/platform/database/embedded/find-mongod.js');
  const { path: systemBinary, version } = await findMongod({
    systemBinary: process.env.MONGOMS_SYSTEM_BINARY,
    path: process.env.PATH,
    xdgCacheHome: process.env.XDG_CACHE_HOME,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  const mongo = await MongoMemoryReplSet.create({
    binary: { systemBinary, version, checkMD5: false },
    instanceOpts: dbPath === undefined ? [] : [{ dbPath }],
    replSet: { count: 1, ip: '127.0.0.1', storageEngine: 'wiredTiger', ...replSet },
  });
  return { mongo, systemBinary };
}
