import { dropBlockingIndexes } from '../platform/database/migrations/blocking-indexes.js';
import type { Migration } from '../platform/database/migrations/migration.js';

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
