import type { mongo } from 'mongoose';
import type { RecordLine } from './report-builder.js';

const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/**
 * Drops an older server's unique indexes over a field, where this version's records would not fit
 * into them. Their successors are created with all other indexes, after the migrations.
 *
 * @param reason follows the name of the index in the report
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

/** Another process that migrates at the same time may have been first. */
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
