import { ConfigurationError } from '../../platform/config/configuration.error.js';
import { readEnv, type Env } from '../../platform/config/env.js';
import { fail, ok, type Check } from './check.js';
import { checkDatabase } from './database-checks.js';
import { checkEmbedded, hasEmbeddedData } from './embedded-checks.js';
import { checkSecrets } from './secret-checks.js';

/**
 * Checks what a server needs, and changes nothing. If the embedded database has data but is not
 * running, it is started for the checks and stopped again.
 *
 * @param version version of Pressroom
 */
export async function diagnose(version: string): Promise<Check[]> {
  const versionCheck = {
    name: 'version',
    ...ok(`Pressroom ${version} on Node.js ${process.version}`),
  };
  let env: Env;
  try {
    env = readEnv();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const problems = error.problems.map((problem) => ({
      name: 'settings',
      ...fail(`${problem}: correct it, then run this again for the other checks.`),
    }));
    return [versionCheck, ...problems];
  }
  const isEmbedded = env.MONGODB_URI === undefined;
  return [
    versionCheck,
    { name: 'settings', ...ok(`valid, NODE_ENV=${env.NODE_ENV}`) },
    ...(await checkSecrets(env)),
    ...(isEmbedded ? await checkEmbedded(env) : []),
    ...(isEmbedded && !hasEmbeddedData(env)
      ? [{ name: 'database', ...ok('none yet: the first start creates it') }]
      : await checkDatabase(env)),
  ];
}
