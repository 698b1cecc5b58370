import { randomBytes } from 'node:crypto';
import { generateApiKey } from '../apikey/api-key.js';
import { readOrCreateSecret, readSecret } from '../platform/config/data-dir.js';
import type { Env } from '../platform/config/env.js';
import { OperatorError } from '../platform/config/operator.error.js';

export const CREDENTIALS_FILE = 'credentials.json';
const DEFAULT_ADMIN_EMAIL = 'admin@pressroom.local';

/** The first API key and the first admin. */
export interface Credentials {
  readonly apiKey: string;
  /** '' if the database had an admin already when the credentials were generated. */
  readonly adminEmail: string;
  /** '' like `adminEmail`. */
  readonly adminPassword: string;
}

/** The credentials to insert. A field that is left out is not inserted. */
export type GivenCredentials = Partial<Credentials>;

/** The names of the credential settings that are unset. */
export function missingCredentials(env: Env): string[] {
  return (['API_KEY', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'] as const).filter(
    (name) => env[name] === undefined,
  );
}

/**
 * Credentials from the settings. Missing ones are generated once and stored in `DATA_DIR`; this is
 * for the embedded database only.
 *
 * @param hasAdmin tells whether the database has an admin, as after `credentials.json` was lost: then none is generated,
 *   because its password would not be that of the account
 * @returns `created`: whether this call has created `credentials.json`
 */
export async function readOrCreateCredentials(
  env: Env,
  hasAdmin: () => Promise<boolean>,
): Promise<{ credentials: Credentials; created: boolean }> {
  const { text, created } = await readOrCreateSecret(env.DATA_DIR, CREDENTIALS_FILE, async () => {
    const isKnown = await hasAdmin();
    const generated: Credentials = {
      apiKey: env.API_KEY ?? generateApiKey(),
      adminEmail: env.ADMIN_EMAIL ?? (isKnown ? '' : DEFAULT_ADMIN_EMAIL),
      adminPassword: env.ADMIN_PASSWORD ?? (isKnown ? '' : randomBytes(16).toString('base64url')),
    };
    return `${JSON.stringify(generated, null, 2)}\n`;
  });
  const stored = parseCredentials(`${env.DATA_DIR}/${CREDENTIALS_FILE}`, text);
  return {
    credentials: {
      apiKey: env.API_KEY ?? stored.apiKey,
      adminEmail: env.ADMIN_EMAIL ?? stored.adminEmail,
      adminPassword: env.ADMIN_PASSWORD ?? stored.adminPassword,
    },
    created,
  };
}

/** The credentials that an earlier start has stored in `DATA_DIR`; null if there are none. */
export async function readCredentials(dataDir: string): Promise<Credentials | null> {
  const text = await readSecret(dataDir, CREDENTIALS_FILE);
  return text === null ? null : parseCredentials(`${dataDir}/${CREDENTIALS_FILE}`, text);
}

/**
 * Parses the text of `credentials.json`.
 *
 * @param source where the text comes from, for the message
 * @throws OperatorError when the text does not hold the three credentials
 */
export function parseCredentials(source: string, text: string): Credentials {
  const stored = parseJson(text) as Partial<Credentials> | null;
  const { apiKey, adminEmail, adminPassword } = stored ?? {};
  const isAdmin = typeof adminEmail === 'string' && typeof adminPassword === 'string';
  if (typeof apiKey === 'string' && apiKey !== '' && isAdmin) {
    return { apiKey, adminEmail, adminPassword };
  }
  throw new OperatorError(
    `${source} does not hold the API key and the admin that the first start has made: correct the file, or remove it for a new API key`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
