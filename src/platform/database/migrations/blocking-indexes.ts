import type { mongo } from 'mongoose';
import { storedIndexes } from '../indexes.js';
import type { MigrationOptions } from './migration.js';
import type { RecordLine } from './report-builder.js';

const INDEX_NOT_FOUND = 27;

/**
 * Drops unique indexes that goserve or an earlier version created and that the migrated records would
 * violate. The indexes that replace them are created with all others, after the migrations.
 *
 * @param field a field of the index
 * @param options `reason` is shown in the report; with `dryRun` no index is dropped
 * @returns a report line per index
 */
export async function dropBlockingIndexes(
  collection: mongo.Collection,
  field: string,
  { dryRun, reason, beforeWrite }: MigrationOptions & { readonly reason: string },
): Promise<RecordLine[]> {
  const blockingIndexes = (await storedIndexes(collection)).filter(
    ({ unique, sparse, partialFilterExpression, key }) =>
      unique === true &&
      sparse !== true &&
      partialFilterExpression === undefined &&
      Object.hasOwn(key, field),
  );
  for (const { name } of dryRun ? [] : blockingIndexes) {
    beforeWrite?.();
    await drop(collection, String(name));
  }
  return blockingIndexes.map(({ name }) => ({
    kind: 'indexes',
    line: `index ${collection.collectionName}.${String(name)} dropped: ${reason}`,
  }));
}

/**
 * Drops an index. Does nothing if the index is gone: a process of a version that migrates without a lock
 * may have dropped it.
 */
async function drop(collection: mongo.Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === INDEX_NOT_FOUND;
    if (!isGone) throw error;
  }
}
