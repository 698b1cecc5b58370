import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from './operator.error.js';

/**
 * Name of the file with the signing keys in `DATA_DIR`. It is used if neither `JWT_PRIVATE_KEYS` nor
 * `JWT_PRIVATE_KEYS_FILE` is set.
 */
export const SIGNING_KEYS_FILE = 'jwt-private-key.pem';

/**
 * Reads a secret from a file in `DATA_DIR`. If the file is missing, it is created first, readable by its
 * owner only.
 *
 * The secret is written to a temporary file, which is then linked to the final name. The link fails if
 * the name exists, so processes that start at the same time all read the same secret.
 *
 * @param create makes the secret; called only if the file is missing
 * @returns the secret, and whether this call created it
 * @throws OperatorError when the folder cannot be read or written; the message says what to do
 */
export async function readOrCreateSecret(
  dataDir: string,
  fileName: string,
  create: () => Promise<string>,
): Promise<{ text: string; created: boolean }> {
  const path = join(dataDir, fileName);
  const temporaryPath = join(dataDir, `.${fileName}.${randomUUID()}`);
  try {
    const existing = await readSecret(dataDir, fileName);
    if (existing !== null) return { text: existing, created: false };
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(temporaryPath, await create(), { flag: 'wx', mode: 0o600, flush: true });
    await link(temporaryPath, path);
    return { text: await readFile(path, 'utf8'), created: true };
  } catch (error) {
    const existing = hasCode(error, 'EEXIST') ? await readSecret(dataDir, fileName) : null;
    if (existing !== null) return { text: existing, created: false };
    throw unusableFile(path, error);
  } finally {
    // A failure here would hide the error that is thrown above.
    await rm(temporaryPath, { force: true }).catch(() => undefined);
  }
}

/**
 * @returns the text of a file in `DATA_DIR`; null if it is missing
 * @throws OperatorError as `readOrCreateSecret` does
 */
export async function readSecret(dataDir: string, fileName: string): Promise<string | null> {
  const path = join(dataDir, fileName);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw unusableFile(path, error);
  }
}

function unusableFile(path: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(
    `${path} cannot be read or written (${(error as Error).message}): ` +
      `make DATA_DIR writable for this user, or point it to another folder.`,
    { cause: error },
  );
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === code;
}
