import { spawnSync } from 'node:child_process';
import { UserError } from '../../../scripts/support/user-error.ts';

/** The environment with `/usr/sbin` in PATH: Debian installs servers there, and users do not have it in their PATH. */
export const SERVER_ENV = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/**
 * Installs Debian packages if the program that they contain is missing.
 * @param find returns what it knows of the program, such as its version; null while it is missing
 * @throws UserError when the packages cannot be installed
 */
export function provide<Found>(packages: readonly string[], find: () => Found | null): Found {
  const found = find();
  if (found !== null) return found;
  const missing = (why: string): UserError => {
    const command = `apt-get install ${packages.join(' ')}`;
    return new UserError(`${packages[0]} is missing (on Debian and Ubuntu: ${command}): ${why}`);
  };
  if (process.getuid?.() !== 0) throw missing('only root can install it');
  console.error(`installing ${packages.join(' and ')} …`);
  for (const args of [['update'], ['install', '--yes', ...packages]]) {
    const { status, stderr, error } = spawnSync('apt-get', ['-qq', ...args], { encoding: 'utf8' });
    if (status !== 0) throw missing(error?.message ?? stderr.trim());
  }
  const installed = find();
  if (installed === null) throw missing('apt-get has not installed it');
  return installed;
}
