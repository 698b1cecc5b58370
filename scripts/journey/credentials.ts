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
 * Reads the API key, and the email address and password of the admin. Each comes from its option, else from the
 * environment or `.env`, else from `credentials.json`, which the first start of the server writes.
 *
 * @throws UserError naming what is missing
 */
export function readCredentials(options: CredentialOptions): Credentials {
  const { API_KEY, ADMIN_EMAIL, ADMIN_PASSWORD } = settings();
  const file = dataFile('credentials.json');
  const stored = readJson<Credentials>(file);
  const credentials = {
    apiKey: options['api-key'] || API_KEY || stored.apiKey || '',
    adminEmail: options['admin-email'] || ADMIN_EMAIL || stored.adminEmail || '',
    adminPassword: options['admin-password'] || ADMIN_PASSWORD || stored.adminPassword || '',
  };
  const missing = Object.entries(credentials).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length > 0) {
    throw new UserError(
      `missing ${missing.join(', ')}: set API_KEY, ADMIN_EMAIL and ADMIN_PASSWORD, ` +
        `or run this in the folder where the first start of the server wrote ${file}`,
    );
  }
  return credentials;
}

/**
 * Finds the URL of the running server: the option, else the URL in `run.json` of its data folder, else the one that
 * follows from PORT.
 *
 * @param option the value of `--url`
 * @throws UserError when the option is no URL
 */
export function readUrl(option: string | undefined): string {
  const runningUrl = readJson<{ url: string }>(dataFile('run.json')).url;
  const url = option ?? runningUrl ?? `http://127.0.0.1:${settings().PORT || 3000}`;
  if (/^https?:/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new UserError(`${url} is no URL: pass one such as --url http://127.0.0.1:3000`);
}

/** The environment, with the variables that only `.env` sets. */
function settings(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** A file that the server keeps in its data folder. */
function dataFile(name: string): string {
  return join(settings().DATA_DIR || '.data', name);
}

function readJson<Content>(file: string): Partial<Content> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Content>) : {};
}
