import { mongo } from 'mongoose';
import { buildUniqueIndexes } from '../../platform/database/indexes.js';
import { MigrationService } from '../../platform/database/migrations/migration.service.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import type { ArchiveDatabase } from '../archive-database.js';
import { COLLECTION_RULES, isKnown, isRestored } from '../collection-rules.js';
import type { BackupHeader } from './backup-format.js';
import type { BackupPart } from './backup-reader.js';

/** Largest number of records that are inserted together. */
const BATCH = 1_000;
/** Largest total size of the records that are inserted together, in bytes. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Prefix of a collection that has not taken the place of the present one yet. */
const TEMPORARY = 'restoring_';

export interface RestoreOptions {
  /** Whether records of the database may be replaced; if not, the database must be empty. */
  readonly isDropped: boolean;
  /** Called with the number of records written since the last call. */
  readonly onRecords: (count: number) => void;
}

export interface RestoreReport {
  /** Number of records written. */
  readonly records: number;
  /** Number of records left out, by collection: those of collections that this version does not know. */
  readonly skipped: Readonly<Record<string, number>>;
  /** What the operator has to resolve, one line each. */
  readonly unresolved: readonly string[];
}

/**
 * Replaces the records of Pressroom in a database by those of a backup. Only records are taken from the backup:
 * options and indexes of the collections come from the schemas, and all migrations run afterwards, which clean the
 * texts and add what the backup leaves out. Until all records are stored, the present ones stay.
 *
 * @throws OperatorError when the database is not empty and `isDropped` is false, when a server runs on it, or when
 *   MongoDB refuses a record
 */
export async function restoreBackup(
  database: ArchiveDatabase,
  parts: AsyncIterable<BackupPart>,
  { isDropped, onRecords }: RestoreOptions,
): Promise<RestoreReport> {
  await database.refuseServer('to restore');
  const { db } = database;
  if (!isDropped) await refuseRecords(db);
  await dropCollections(db, isTemporary);
  const skipped = new Map<string, number>();
  let header: BackupHeader | undefined;
  let records = 0;
  try {
    for await (const part of batchesOf(parts)) {
      if ('header' in part) {
        header = part.header;
        continue;
      }
      const { collection, batch } = part;
      if (isRestored(collection)) {
        await insert(database, collection, batch);
        records += batch.length;
        onRecords(batch.length);
      } else if (!isKnown(collection)) {
        skipped.set(collection, (skipped.get(collection) ?? 0) + batch.length);
      }
    }
    await refuseDuplicates(database, header);
    await replaceCollections(db);
  } finally {
    await dropCollections(db, isTemporary);
  }
  const { unresolved } = await database.app.get(MigrationService).run({ dryRun: false });
  return { records, skipped: Object.fromEntries(skipped), unresolved };
}

/** @throws OperatorError when the database has records that a restore would replace */
async function refuseRecords(db: mongo.Db): Promise<void> {
  const names = (await collectionNames(db)).filter(isRestored);
  const filled = await Promise.all(
    names.map(async (name) => ((await db.collection(name).findOne({})) ? [name] : [])),
  );
  if (filled.flat().length === 0) return;
  throw new OperatorError(
    `The database is not empty (${filled.flat().sort().join(', ')}): restore into an empty one, or add ` +
      '--drop to replace what is there.',
  );
}

/** The indexes of collections that no schema declares: those by which GridFS reads a picture. */
const GRIDFS_INDEXES: Readonly<Record<string, mongo.IndexDescription>> = {
  'pictures.chunks': { key: { files_id: 1, n: 1 }, unique: true },
  'pictures.files': { key: { filename: 1, uploadDate: 1 } },
};

/** @throws OperatorError when records share a value that a unique index of their database forbids */
async function refuseDuplicates(
  { connection, db }: ArchiveDatabase,
  header: BackupHeader | undefined,
): Promise<void> {
  const temporary = new Set((await collectionNames(db)).filter(isTemporary));
  for (const { name, indexes } of header?.collections ?? []) {
    const target = `${TEMPORARY}${name}`;
    if (!temporary.has(target)) continue;
    await explained(name, () =>
      buildUniqueIndexes(connection, name, db.collection(target), indexes),
    );
    const ofGridFs = GRIDFS_INDEXES[name];
    if (ofGridFs) await explained(name, () => db.collection(target).createIndexes([ofGridFs]));
  }
}

/** Puts the restored collections in the place of the present ones, and drops the others of Pressroom. */
async function replaceCollections(db: mongo.Db): Promise<void> {
  const restored = (await collectionNames(db)).filter(isTemporary);
  const names = restored.map((name) => name.slice(TEMPORARY.length));
  for (const name of names) {
    await db.renameCollection(`${TEMPORARY}${name}`, name, { dropTarget: true });
  }
  await dropCollections(db, (name) => isKnown(name) && !names.includes(name));
}

async function collectionNames(db: mongo.Db): Promise<string[]> {
  return (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
}

function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY) && isKnown(name.slice(TEMPORARY.length));
}

async function dropCollections(db: mongo.Db, isChosen: (name: string) => boolean): Promise<void> {
  for (const name of await collectionNames(db)) if (isChosen(name)) await db.dropCollection(name);
}

/** @throws OperatorError when MongoDB refuses a record, or a record has an id of another type than the schema */
async function insert(
  { connection, db }: ArchiveDatabase,
  collection: string,
  batch: readonly mongo.Document[],
): Promise<void> {
  const model = Object.values(connection.models).find(
    (each) => each.collection.collectionName === collection,
  );
  const isObjectId = model?.schema.path('_id').instance === 'ObjectId';
  if (isObjectId && !batch.every(({ _id }) => _id instanceof mongo.ObjectId)) {
    throw new OperatorError(
      `A record of ${collection} has an _id of a type that the server does not store: nothing was changed.`,
    );
  }
  const { marks = [] } = COLLECTION_RULES[collection] ?? {};
  const records = batch.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([field]) => !marks.includes(field))),
  );
  await explained(collection, () =>
    db.collection(`${TEMPORARY}${collection}`).insertMany(records, { forceServerObjectId: true }),
  );
}

/** Runs a write of records, and turns an error of MongoDB into an OperatorError. */
async function explained(collection: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof mongo.MongoError)) throw error;
    throw new OperatorError(
      `A record of ${collection} cannot be restored (${error.message}): nothing was changed.`,
      { cause: error },
    );
  }
}

interface Batch {
  readonly collection: string;
  readonly batch: mongo.Document[];
}

/** Groups the records of a backup in batches of one collection each, after its header. */
async function* batchesOf(
  parts: AsyncIterable<BackupPart>,
): AsyncGenerator<Batch | { readonly header: BackupHeader }> {
  let batch: mongo.Document[] = [];
  let bytes = 0;
  let collection = '';
  for await (const part of parts) {
    if ('header' in part) {
      yield part;
      continue;
    }
    const isFull = batch.length >= BATCH || bytes + part.bytes > BATCH_BYTES;
    if (batch.length > 0 && (isFull || part.collection !== collection)) {
      yield { collection, batch };
      [batch, bytes] = [[], 0];
    }
    collection = part.collection;
    bytes += part.bytes;
    batch.push(part.record);
  }
  if (batch.length > 0) yield { collection, batch };
}
