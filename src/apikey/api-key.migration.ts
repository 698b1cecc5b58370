import { dropBlockingIndexes } from '../platform/database/migrations/blocking-indexes.js';
import type { Migration } from '../platform/database/migrations/migration.js';

/** Drops a unique index of an older server that admits only one hashed key. Plain keys stay. */
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
