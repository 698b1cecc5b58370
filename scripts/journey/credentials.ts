import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../support/user-error.ts';

export interface Credentials {
  readonly apiKey: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
}

/** The options of the command line. */
type CredentialOptions = Partial<
  Record<'api-key' | 'admin-email' | 'admin-password', string | undefined>
>;

/**
 * The API key, and the email address and password of the admin: each from its option, else from the
 * environment or `.env`, else from the file that the server's first start has written.
 *
 * @throws UserError naming what is missing
 */
export function readCredentials(options: CredentialOptions): Credentials {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { DATA_DIR, API_KEY, ADMIN_EMAIL, ADMIN_PASSWORD } = process.env;
  const file = join(DATA_DIR || '.data', 'credentials.json');
  const stored = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials>)
    : {};
  const credentials = {
    apiKey: options['api-key'] || API_KEY || stored.apiKey || '',
    adminEmail: options['admin-email'] || ADMIN_EMAIL || stored.adminEmail || '',
    adminPassword: options['admin-password'] || ADMIN_PASSWORD || stored.adminPassword || '',
  };
  const missing = Object.entries(credentials).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) {
    throw new UserError(
      `missing ${missing.join(', ')}: set API_KEY, ADMIN_EMAIL and ADMIN_PASSWORD, ` +
        `or run this where the first start wrote ${file}`,
    );
  }
  return credentials;
}
