import type { mongo } from 'mongoose';
import { storedIndexes } from '../indexes.js';
import type { MigrationOptions } from './migration.js';
import type { RecordLine } from './report-builder.js';

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
  { dryRun, reason, beforeWrite }: MigrationOptions & { readonly reason: string },
): Promise<RecordLine[]> {
  const blocking = (await storedIndexes(collection)).filter(
    ({ unique, sparse, partialFilterExpression, key }) =>
      unique === true &&
      sparse !== true &&
      partialFilterExpression === undefined &&
      Object.hasOwn(key, field),
  );
  for (const { name } of dryRun ? [] : blocking) {
    beforeWrite?.();
    await drop(collection, String(name));
  }
  return blocking.map(({ name }) => ({
    kind: 'indexes',
    line: `index ${collection.collectionName}.${String(name)} dropped: ${reason}`,
  }));
}

/**
 * Drops an index. It ignores that another process, of a version that takes no lock for it, has
 * dropped it already.
 */
async function drop(collection: mongo.Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === INDEX_NOT_FOUND;
    if (!isGone) throw error;
  }
}
