import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from './user-error.mjs';

/**
 * The API key and the admin's sign-in: each from its option, else from the environment (with
 * `.env`, as the server reads it), else from the file that the first start has written.
 *
 * @throws UserError naming what is missing
 */
export function readCredentials(options) {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const file = join(process.env.DATA_DIR || '.data', 'credentials.json');
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const credentials = {
    apiKey: options['api-key'] || process.env.API_KEY || kept.apiKey,
    adminEmail: options['admin-email'] || process.env.ADMIN_EMAIL || kept.adminEmail,
    adminPassword: options['admin-password'] || process.env.ADMIN_PASSWORD || kept.adminPassword,
  };
  const missing = Object.keys(credentials).filter((name) => !credentials[name]);
  if (missing.length > 0) {
    throw new UserError(
      `missing ${missing.join(', ')}: set API_KEY, ADMIN_EMAIL and ADMIN_PASSWORD, ` +
        `or run this where the first start wrote ${file}`,
    );
  }
  return credentials;
}
