import type { Model } from 'mongoose';
import { dropBlockingIndexes } from '../platform/database/migrations/blocking-indexes.js';
import type { Migration, MigrationReport } from '../platform/database/migrations/migration.js';
import { hashApiKey, prefixOf } from './api-key.js';
import type { ApiKey } from './api-key.schema.js';

/**
 * Drops the unique index on `key` that an older server created. Hashed keys have no `key`, so the
 * index would admit only one of them. Keys that are stored in plain stay as they are.
 */
export const apiKeyMigration: Migration = {
  name: '2026-11-api-keys',
  async run(db, options) {
    const dropped = await dropBlockingIndexes(db.collection('api_keys'), 'key', {
      ...options,
      reason: 'it would let only one key be stored hashed',
    });
    return { changed: dropped.map(({ line }) => line), unresolved: [] };
  },
};

/**
 * Replaces each key that is stored in plain by its hash. Clients can keep using these keys.
 *
 * @param options with `dryRun`, returns the same report and writes nothing
 */
export async function hashPlainKeys(
  apiKeys: Model<ApiKey>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<MigrationReport> {
  const plain = await apiKeys
    .find({ key: { $gt: '' } })
    .select(['key'])
    .lean<Required<Pick<ApiKey, '_id' | 'key'>>[]>();
  const unresolved: string[] = [];
  for (const { _id, key } of plain) {
    const isTaken = (await apiKeys.exists({ keyHash: hashApiKey(key) })) !== null;
    if (isTaken) {
      unresolved.push(`api key ${_id.toHexString()}: stored hashed as well; delete one of the two`);
    } else if (!dryRun) {
      await apiKeys.updateOne(
        { _id, key },
        { $set: storedFieldsOf(key), $unset: { key: 1 } },
        { timestamps: false },
      );
    }
  }
  const count = plain.length - unresolved.length;
  const changed = count === 0 ? [] : [`${count} API ${count === 1 ? 'key' : 'keys'}: hashed`];
  return { changed, unresolved };
}

/** The fields by which a key is stored hashed. */
export function storedFieldsOf(key: string): Pick<ApiKey, 'keyHash' | 'prefix'> {
  return { keyHash: hashApiKey(key), prefix: prefixOf(key) };
}
