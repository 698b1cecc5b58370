import { ConfigurationError } from '../../platform/config/configuration.error.js';
import { readEnv, type Env } from '../../platform/config/env.js';
import { IdentityProvider } from '../../auth/oidc/identity-provider.service.js';
import { fail, ok, runCheck, type Check, type Finding } from './check.js';
import { describeError } from '../fail-with.js';
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
    ...(env.OIDC_ISSUER === undefined
      ? []
      : [await runCheck('provider', () => checkProvider(env))]),
    ...(isEmbedded ? await checkEmbedded(env) : []),
    ...(isEmbedded && !hasEmbeddedData(env)
      ? [{ name: 'database', ...ok('none yet: the first start creates it') }]
      : await checkDatabase(env)),
  ];
}

async function checkProvider(env: Env): Promise<Finding> {
  try {
    return ok(`${await new IdentityProvider(env).check()} answers`);
  } catch (error) {
    const problem = `OIDC_ISSUER does not answer as a provider (${describeError(error)})`;
    return fail(`${problem}: correct it, or see to it that this machine reaches it.`);
  }
}
