import type { ClientSession, Connection, mongo } from 'mongoose';
import type { ArchiveDatabase } from '../archive-database.js';
import { COLLECTION_RULES, EXPORTED } from '../collection-rules.js';
import { headerLine, recordLine } from './record-line.js';

/** Number of records per reply of the database: 20 MB at most with the longest texts. */
const BATCH = 100;

/** Approximate length of the chunks to which lines are joined, in characters. */
const CHUNK_LENGTH = 65_536;

/**
 * The lines of an export: the records of the collections EXPORTED, without secrets. The collections are in the
 * order of COLLECTION_RULES, and the records of a collection in the order of `_id`, so that equal records make
 * equal bytes.
 *
 * @param session session of a snapshot; undefined without one
 * @param onRecords called with the number of records read since the last call
 */
export async function* exportChunks(
  { connection, db }: ArchiveDatabase,
  session: ClientSession | undefined,
  onRecords: (count: number) => void,
): AsyncGenerator<string> {
  let chunk = headerLine();
  let count = 0;
  for (const collection of EXPORTED) {
    const declared = declaredFields(connection, collection);
    for await (const record of exportedRecords(db, collection, session)) {
      chunk += recordLine(collection, withoutUndeclared(record, declared));
      count += 1;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      onRecords(count);
      chunk = '';
      count = 0;
    }
  }
  yield chunk;
  onRecords(count);
}

function exportedRecords(
  db: mongo.Db,
  collection: string,
  session: ClientSession | undefined,
): AsyncIterable<mongo.Document> {
  const { without = [] } = COLLECTION_RULES[collection] ?? {};
  return db
    .collection(collection)
    .find({}, { ...(session && { session }), batchSize: BATCH })
    .project(Object.fromEntries(without.map((path) => [path, 0])))
    .sort({ _id: 1 });
}

/** The fields that this version declares for the records of a collection. */
function declaredFields(connection: Connection, collection: string): ReadonlySet<string> {
  const model = Object.values(connection.models).find(
    (each) => each.collection.collectionName === collection,
  );
  const paths = Object.keys(model?.schema.paths ?? {});
  return new Set(paths.map((path) => path.split('.')[0] as string));
}

/** The record without undeclared fields: this version reads none of them, though an older one may. */
function withoutUndeclared(record: mongo.Document, declared: ReadonlySet<string>): mongo.Document {
  return Object.fromEntries(Object.entries(record).filter(([field]) => declared.has(field)));
}
