import { createHash } from 'node:crypto';
import { mongo, type ClientSession } from 'mongoose';
import type { ArchiveDatabase } from '../archive-database.js';
import { isBackedUp } from '../collection-rules.js';
import {
  END_OF_COLLECTION,
  FORMAT,
  FORMAT_VERSION,
  type BackupFooter,
  type BackupHeader,
  type StoredCollection,
} from './backup-format.js';

const { serialize } = mongo.BSON;

/** Number of records per reply of the database: 20 MB at most with the longest texts. */
const BATCH = 100;

/** Number of records after which `onRecords` is called. */
const COUNTED = 100;

/** The collections of a database that a backup holds, with their options and indexes. */
export async function storedCollections(db: mongo.Db): Promise<StoredCollection[]> {
  const stored = await db.listCollections({ type: 'collection' }).toArray();
  const collections = stored
    .filter(({ name }) => !name.startsWith('system.') && isBackedUp(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return Promise.all(
    collections.map(async ({ name, ...info }) => ({
      name,
      options: ('options' in info ? info.options : undefined) ?? {},
      indexes: (await db.collection(name).indexes())
        .filter((index) => index.name !== '_id_')
        .map(({ v: _, ...index }) => index as unknown as mongo.IndexDescription),
    })),
  );
}

/**
 * The bytes of a backup, not compressed.
 *
 * @param files secrets of the data folder
 * @param session session of a snapshot; undefined without one
 * @param onRecords called with the number of records read since the last call
 */
export async function* backupChunks(
  { db }: ArchiveDatabase,
  { collections, files }: Pick<BackupHeader, 'collections' | 'files'>,
  session: ClientSession | undefined,
  onRecords: (count: number) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (bytes: Uint8Array): Buffer => {
    hash.update(bytes);
    return bytes as Buffer;
  };
  const header: BackupHeader = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    createdAt: new Date(),
    collections,
    files,
  };
  yield hashed(serialize(header));
  let records = 0;
  for (const { name, options: stored } of collections) {
    // MongoDB cannot read a capped collection in a snapshot. An operator may have made one.
    const isInSnapshot = session && !stored['capped'];
    const options = { ...(isInSnapshot && { session }), raw: true, batchSize: BATCH };
    for await (const record of db.collection(name).find({}, options).sort({ _id: 1 })) {
      // With the option `raw` a record is its bytes.
      yield hashed(record as unknown as Buffer);
      records += 1;
      if (records % COUNTED === 0) onRecords(COUNTED);
    }
    yield hashed(END_OF_COLLECTION);
  }
  onRecords(records % COUNTED);
  const footer: BackupFooter = { records, sha256: new mongo.Binary(hash.digest()) };
  yield serialize(footer) as Buffer;
}
