import { apiKeyMigration } from './apikey/api-key.migration.js';
import { blogMigration } from './blog/migration/blog.migration.js';
import { formerAuthorMigration } from './blog/migration/former-author.migration.js';
import { searchMigration } from './blog/search/search.migration.js';
import { tagMigration } from './blog/tags/tag.migration.js';
import type { Env } from './config/env.js';
import type { Migration } from './database/migrations/migration.js';
import { roleMigration } from './user/role.migration.js';
import { userMigration } from './user/user.migration.js';

/** Every migration, in the order in which they run. */
export const migrationsOf = ({ SEARCH_LANGUAGE }: Pick<Env, 'SEARCH_LANGUAGE'>): Migration[] => [
  roleMigration,
  apiKeyMigration,
  userMigration,
  blogMigration,
  formerAuthorMigration,
  tagMigration,
  searchMigration(SEARCH_LANGUAGE),
];
