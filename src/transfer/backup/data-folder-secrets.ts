import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pemBlocks, SigningKeys } from '../../auth/keys/signing-keys.js';
import { SIGNING_KEYS_FILE } from '../../platform/config/data-dir.js';
import type { Env } from '../../platform/config/env.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { CREDENTIALS_FILE, parseCredentials } from '../../admin/credentials.js';
import { explainErrors } from '../output-file.js';

/** Contents of the files by their names. */
export type Secrets = Readonly<Record<string, string>>;

type Folder = Pick<Env, 'DATA_DIR' | 'JWT_PRIVATE_KEYS' | 'JWT_PRIVATE_KEYS_FILE'>;

/**
 * The secrets of the data folder that belong to the database: the signing keys unless a setting gives them,
 * and the credentials that the first start has generated. Without the signing keys, sessions end and the
 * secrets of webhooks cannot be decrypted.
 *
 * @param isEmbedded whether the database is embedded; an external one has no credentials in the
 *   folder
 */
export async function readSecrets(env: Folder, isEmbedded: boolean): Promise<Secrets> {
  const names = [
    ...(hasKeysInSettings(env) ? [] : [SIGNING_KEYS_FILE]),
    ...(isEmbedded ? [CREDENTIALS_FILE] : []),
  ];
  const texts = await Promise.all(names.map((name) => readText(join(env.DATA_DIR, name))));
  return Object.fromEntries(
    names.flatMap((name, index) => (texts[index] ? [[name, texts[index]]] : [])),
  );
}

/**
 * For each file that a restore may write: returns the text to write, and throws an OperatorError when a server
 * could not use it.
 */
const PARSERS: ReadonlyMap<string, (source: string, text: string) => string> = new Map([
  [
    SIGNING_KEYS_FILE,
    (source: string, text: string) => {
      SigningKeys.parse({ source, text });
      return pemBlocks(text)
        .map((pem) => `${pem}\n`)
        .join('');
    },
  ],
  [
    CREDENTIALS_FILE,
    (source: string, text: string) => {
      parseCredentials(source, text);
      return text;
    },
  ],
]);

/**
 * Chooses the secrets of a backup that a server can use. The others must not replace those of the folder.
 *
 * @returns the usable secrets, and a line for each of the others
 */
export function usableSecrets(files: Secrets): { secrets: Secrets; unresolved: string[] } {
  const secrets: Record<string, string> = {};
  const unresolved: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const source = `${name} of the backup`;
    try {
      const parser = PARSERS.get(name);
      if (!parser) throw new OperatorError(`${source} belongs to no file of this version`);
      secrets[name] = parser(source, text);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unresolved.push(`${error.message}; it was left out, and the data folder keeps what it has`);
    }
  }
  return { secrets, unresolved };
}

/**
 * Runs some work with the signing keys of `secrets` in the folder, if neither the folder nor a setting has any, so that
 * no other keys are generated meanwhile. The keys are removed again when the work fails.
 *
 * @throws what `work` throws
 */
export async function withMissingKeys<Result>(
  env: Folder,
  secrets: Secrets,
  work: () => Promise<Result>,
): Promise<Result> {
  const [keys, path] = [secrets[SIGNING_KEYS_FILE], join(env.DATA_DIR, SIGNING_KEYS_FILE)];
  if (!keys || hasKeysInSettings(env) || (await readText(path)) !== null) return work();
  await writeSecret(env, SIGNING_KEYS_FILE, keys);
  try {
    return await work();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Stores the secrets of a restored backup in the folder. Its signing keys are put before the keys of
 * the folder, which stay valid. Its credentials replace those of the folder.
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
  if (keys && !hasKeysInSettings(env) && !present.includes(keys.trim())) {
    await writeSecret(env, SIGNING_KEYS_FILE, `${keys}${present}`);
  }
  if (credentials && isEmbedded) await writeSecret(env, CREDENTIALS_FILE, credentials);
}

function hasKeysInSettings({ JWT_PRIVATE_KEYS, JWT_PRIVATE_KEYS_FILE }: Folder): boolean {
  return JWT_PRIVATE_KEYS !== undefined || JWT_PRIVATE_KEYS_FILE !== undefined;
}

async function writeSecret({ DATA_DIR }: Folder, name: string, text: string): Promise<void> {
  const path = join(DATA_DIR, name);
  await explainErrors(path, async () => {
    await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600, flush: true });
    // The option `mode` above applies to a new file only.
    await chmod(path, 0o600);
  });
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
