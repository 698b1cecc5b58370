import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { STDOUT } from '../../../transfer/output-file.js';
import type { Env } from '../../../platform/config/env.js';
import { OperatorError } from '../../../platform/config/operator.error.js';

const MONGODB_URI = /^mongodb(\+srv)?:\/\//;

/**
 * Derives the settings of a server that uses the target database.
 *
 * @param env the settings of the present server
 * @param to a MongoDB URI, a data folder, or `-` to read a URI from the standard input, so that its
 *   password does not show in a list of processes
 * @returns the settings, and the end of a sentence that tells the operator what to set
 * @throws OperatorError when the target is the present database, or standard input has no URI
 */
export async function targetEnv(
  env: Env,
  to: string,
): Promise<{ readonly target: Env; readonly setting: string }> {
  const given = to === STDOUT ? (await text(process.stdin)).trim() : to;
  const isUri = MONGODB_URI.test(given);
  if (to === STDOUT && !isUri) throw new OperatorError('The standard input holds no MongoDB URI.');
  const isSame = isUri
    ? given === env.MONGODB_URI
    : !env.MONGODB_URI && resolve(given) === resolve(env.DATA_DIR);
  if (isSame) throw new OperatorError('The records are there already: name another database.');
  const changed = isUri
    ? { MONGODB_URI: given }
    : { MONGODB_URI: undefined, DATA_DIR: resolve(given) };
  return {
    target: Object.assign(Object.create(Object.getPrototypeOf(env) as object) as Env, env, changed),
    setting: isUri ? 'that MONGODB_URI.' : `DATA_DIR=${given}, and without MONGODB_URI.`,
  };
}
