import { apiKeyMigration } from './apikey/api-key.migration.js';
import { blogMigration } from './blog/core/migration/blog.migration.js';
import { formerAuthorMigration } from './blog/core/migration/former-author.migration.js';
import { searchMigration } from './blog/public/search/index/search.migration.js';
import { countsMigration } from './blog/public/counts/comparison/counts.migration.js';
import type { Env } from './platform/config/env.js';
import type { Migration } from './platform/database/migrations/migration.js';
import { roleMigration } from './user/migration/role.migration.js';
import { userMigration } from './user/migration/user.migration.js';

/** Every migration, in the order in which they run. */
export const migrationsOf = ({ SEARCH_LANGUAGE }: Pick<Env, 'SEARCH_LANGUAGE'>): Migration[] => [
  roleMigration,
  apiKeyMigration,
  userMigration,
  blogMigration,
  formerAuthorMigration,
  countsMigration,
  searchMigration(SEARCH_LANGUAGE),
];
