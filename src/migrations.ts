import { apiKeyMigration } from './apikey/api-key.migration.js';
import { blogMigration } from './blog/migration/blog.migration.js';
import { formerAuthorMigration } from './blog/migration/former-author.migration.js';
import { tagMigration } from './blog/tags/tag.migration.js';
import type { Migration } from './database/migrations/migration.js';
import { roleMigration } from './user/role.migration.js';
import { userMigration } from './user/user.migration.js';

/** Every migration, in the order in which they run. */
export const ALL_MIGRATIONS: readonly Migration[] = [
  roleMigration,
  apiKeyMigration,
  userMigration,
  blogMigration,
  formerAuthorMigration,
  tagMigration,
];
