import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SIGNING_KEYS_FILE } from '../../platform/config/data-dir.js';
import type { Env } from '../../platform/config/env.js';
import { CREDENTIALS_FILE } from '../../admin/credentials.js';
import { explained } from '../output-file.js';

/** Contents of the files by their names. */
export type Secrets = Readonly<Record<string, string>>;

type Folder = Pick<Env, 'DATA_DIR' | 'JWT_PRIVATE_KEYS' | 'JWT_PRIVATE_KEYS_FILE'>;

/**
 * The secrets of the data folder that belong to the database: the signing keys, by which sessions
 * go on and the secrets of webhooks are decrypted, and the credentials that the first start has
 * made.
 *
 * @param isEmbedded whether the database is embedded; an external one has no credentials in the
 *   folder
 */
export async function readSecrets(env: Folder, isEmbedded: boolean): Promise<Secrets> {
  const names = [
    ...(hasOwnKeys(env) ? [] : [SIGNING_KEYS_FILE]),
    ...(isEmbedded ? [CREDENTIALS_FILE] : []),
  ];
  const texts = await Promise.all(names.map((name) => readText(join(env.DATA_DIR, name))));
  return Object.fromEntries(
    names.flatMap((name, index) => (texts[index] ? [[name, texts[index]]] : [])),
  );
}

/**
 * Writes the signing keys if there are none, so that no start makes others.
 *
 * @returns whether the keys were written
 */
export async function placeMissingKeys(env: Folder, secrets: Secrets): Promise<boolean> {
  const [keys, path] = [secrets[SIGNING_KEYS_FILE], join(env.DATA_DIR, SIGNING_KEYS_FILE)];
  if (!keys || hasOwnKeys(env) || (await readText(path)) !== null) return false;
  await writeSecret(env, SIGNING_KEYS_FILE, keys);
  return true;
}

/**
 * Places the secrets of a backup that was restored: its signing keys before those of the folder,
 * which stay valid, and its credentials instead of those of the folder.
 *
 * @param isEmbedded whether the database is embedded
 */
export async function placeSecrets(
  env: Folder,
  secrets: Secrets,
  isEmbedded: boolean,
): Promise<void> {
  const [keys, credentials] = [secrets[SIGNING_KEYS_FILE], secrets[CREDENTIALS_FILE]];
  const present = (await readText(join(env.DATA_DIR, SIGNING_KEYS_FILE))) ?? '';
  if (keys && !hasOwnKeys(env) && !present.includes(keys.trim())) {
    await writeSecret(env, SIGNING_KEYS_FILE, `${keys.trim()}\n${present}`);
  }
  if (credentials && isEmbedded) await writeSecret(env, CREDENTIALS_FILE, credentials);
}

function hasOwnKeys({ JWT_PRIVATE_KEYS, JWT_PRIVATE_KEYS_FILE }: Folder): boolean {
  return JWT_PRIVATE_KEYS !== undefined || JWT_PRIVATE_KEYS_FILE !== undefined;
}

async function writeSecret({ DATA_DIR }: Folder, name: string, text: string): Promise<void> {
  const path = join(DATA_DIR, name);
  await explained(path, async () => {
    await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600, flush: true });
    // The mode above holds for a new file only.
    await chmod(path, 0o600);
  });
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
