import { effectiveRole, ROLE_CODES } from '../../platform/http/access/role-code.js';
import type { Migration } from '../../platform/database/migrations/migration.js';

/** Inserts missing roles. The role WRITER of an older server counts as AUTHOR and stays unchanged. */
export const roleMigration: Migration = {
  name: '2026-11-roles',
  async run(db, { dryRun, beforeWrite }) {
    const roles = db.collection<{ code: string }>('roles');
    const stored = await roles.find().toArray();
    const missing = ROLE_CODES.filter(
      (code) => !stored.some((role) => effectiveRole(role.code) === code),
    );
    const now = new Date();
    for (const code of dryRun ? [] : missing) {
      beforeWrite?.();
      await roles.updateOne(
        { code },
        { $setOnInsert: { status: true, createdAt: now, updatedAt: now } },
        { upsert: true },
      );
    }
    return { changed: missing.map((code) => `role ${code} added`), unresolved: [] };
  },
};
