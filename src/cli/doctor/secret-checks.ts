import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { SigningKeys } from '../../auth/keys/signing-keys.js';
import { SIGNING_KEYS_FILE } from '../../platform/config/data-dir.js';
import type { Env } from '../../platform/config/env.js';
import { CREDENTIALS_FILE, readCredentials } from '../../admin/credentials.js';
import { ok, runCheck, warn, type Check, type Finding } from './check.js';

/** The checks of keys and of files with secrets. They create no key. */
export async function checkSecrets(env: Env): Promise<Check[]> {
  const credentials = path.join(env.DATA_DIR, CREDENTIALS_FILE);
  return Promise.all([
    runCheck('signing key', () => checkKey(env)),
    ...(existsSync(credentials)
      ? [
          runCheck(CREDENTIALS_FILE, async () => {
            await readCredentials(env.DATA_DIR);
            return modeProblem(credentials) ?? ok('private');
          }),
        ]
      : []),
  ]);
}

async function checkKey(env: Env): Promise<Finding> {
  const file = env.JWT_PRIVATE_KEYS_FILE ?? path.join(env.DATA_DIR, SIGNING_KEYS_FILE);
  if (!env.JWT_PRIVATE_KEYS && !env.JWT_PRIVATE_KEYS_FILE && !existsSync(file)) {
    return ok(`none yet: the first start makes one in ${file}`);
  }
  const keys = await SigningKeys.load(env);
  const problem = env.JWT_PRIVATE_KEYS ? null : modeProblem(file);
  if (problem) return problem;
  const bits = keys.current.privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
  const others = keys.toJwks().keys.length - 1;
  return ok(`RSA of ${bits} bits${others > 0 ? `, and ${others} that only verify` : ''}`);
}

/** @returns a warning if other users may read a file that contains a secret, else null */
function modeProblem(file: string): Finding | null {
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return null;
  return warn(`Others may read ${file} (mode 0${mode.toString(8)}): run "chmod 600 ${file}".`);
}
