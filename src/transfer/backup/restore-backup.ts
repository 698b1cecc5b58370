import { mongo } from 'mongoose';
import { tagMigration } from '../../blog/public/tags/counts/tag.migration.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { MigrationService } from '../../platform/database/migrations/migration.service.js';
import type { ArchiveDatabase } from '../archive-database.js';
import { COLLECTION_RULES, isBackedUp } from '../collection-rules.js';
import type { BackupHeader, StoredCollection } from './backup-format.js';
import type { BackupPart } from './backup-reader.js';

const { deserialize } = mongo.BSON;

/** Largest number of records that are inserted together. */
const BATCH = 1_000;
/** Largest total size of the records that are inserted together, in bytes. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Option that keeps each number as it was stored, such as a double without decimals. */
const AS_STORED = { promoteValues: false } as const;

export interface RestoreOptions {
  /** Whether records of the database may be dropped first; if not, the database must be empty. */
  readonly isDropped: boolean;
  /** Called with the number of records written since the last call. */
  readonly onRecords: (count: number) => void;
}

/**
 * Empties a database (see `prepare`) and fills it: inserts the records, creates the indexes, and runs the migrations,
 * which add what the backup leaves out and what only this version of Pressroom needs.
 *
 * @returns the number of records written
 * @throws OperatorError when the database is not empty and `isDropped` is false, or when a server runs on it
 */
export async function restoreBackup(
  database: ArchiveDatabase,
  parts: AsyncIterable<BackupPart>,
  { isDropped, onRecords }: RestoreOptions,
): Promise<number> {
  await database.refuseServer('to restore');
  const writer = new RecordWriter(database.db);
  let records = 0;
  let header: BackupHeader | undefined;
  for await (const part of parts) {
    if ('header' in part) {
      header = part.header;
      await prepare(database.db, header.collections, isDropped);
      continue;
    }
    const written = await writer.add(part.collection.name, part.record);
    records += written;
    onRecords(written);
  }
  const last = await writer.flush();
  onRecords(last);
  for (const { name, indexes } of header?.collections ?? []) {
    if (indexes.length > 0) await database.db.collection(name).createIndexes([...indexes]);
  }
  // The counts of tags are not in the backup, so their migration has to run again.
  const migrations = database.db.collection<{ _id: string }>('migrations');
  await migrations.deleteOne({ _id: tagMigration.name });
  await database.app.get(MigrationService).runIfPending();
  return records + last;
}

/**
 * Drops the collections of the database whose names Pressroom or the backup has, and creates those of the backup,
 * without records.
 *
 * @throws OperatorError when the database has records and `isDropped` is false
 */
async function prepare(
  db: mongo.Db,
  collections: readonly StoredCollection[],
  isDropped: boolean,
): Promise<void> {
  const storedNames = (await db.listCollections({}, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => name in COLLECTION_RULES || collections.some((each) => each.name === name));
  const filledNames = await Promise.all(
    storedNames
      .filter(isBackedUp)
      .map(async (name) => ((await db.collection(name).findOne({})) ? [name] : [])),
  );
  if (filledNames.flat().length > 0 && !isDropped) {
    throw new OperatorError(
      `The database is not empty (${filledNames.flat().sort().join(', ')}): restore into an empty one, or add ` +
        '--drop to replace what is there.',
    );
  }
  for (const name of storedNames) await db.dropCollection(name);
  for (const { name, options } of collections) await db.createCollection(name, options);
}

/** Inserts records in batches. */
class RecordWriter {
  private batch: mongo.Document[] = [];
  private bytes = 0;
  private collection = '';

  constructor(private readonly db: mongo.Db) {}

  /** @returns the number of records written */
  async add(collection: string, record: Buffer): Promise<number> {
    const isFull = this.batch.length >= BATCH || this.bytes + record.length > BATCH_BYTES;
    const written = isFull || collection !== this.collection ? await this.flush() : 0;
    this.collection = collection;
    this.bytes += record.length;
    this.batch.push(deserialize(record, AS_STORED));
    return written;
  }

  /** @returns the number of records written */
  async flush(): Promise<number> {
    const { batch } = this;
    if (batch.length > 0) await this.db.collection(this.collection).insertMany(batch);
    this.batch = [];
    this.bytes = 0;
    return batch.length;
  }
}
