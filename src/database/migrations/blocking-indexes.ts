import type { mongo } from 'mongoose';
import type { RecordLine } from './report-builder.js';

const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/**
 * Drops unique indexes of an older server that the records of this version would violate. Their
 * replacements are created with all other indexes, after the migrations.
 *
 * @param field a field of the index
 * @param options `reason` for the report; with `dryRun` none is dropped
 * @returns a line per index
 */
export async function dropBlockingIndexes(
  collection: mongo.Collection,
  field: string,
  { dryRun, reason }: { readonly dryRun: boolean; readonly reason: string },
): Promise<RecordLine[]> {
  const blocking = (await indexesOf(collection)).filter(
    ({ unique, sparse, partialFilterExpression, key }) =>
      unique === true &&
      sparse !== true &&
      partialFilterExpression === undefined &&
      Object.hasOwn(key, field),
  );
  for (const { name } of dryRun ? [] : blocking) await drop(collection, String(name));
  return blocking.map(({ name }) => ({
    kind: 'indexes',
    line: `index ${collection.collectionName}.${String(name)} dropped: ${reason}`,
  }));
}

async function indexesOf(collection: mongo.Collection): Promise<mongo.IndexDescriptionInfo[]> {
  try {
    return await collection.indexes();
  } catch (error) {
    if (hasCode(error, NAMESPACE_NOT_FOUND)) return [];
    throw error;
  }
}

/** Ignores that another process, which migrates at the same time, has dropped it already. */
async function drop(collection: mongo.Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    if (!hasCode(error, INDEX_NOT_FOUND)) throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
