import { spawnSync } from 'node:child_process';
import { UserError } from '../../../scripts/support/user-error.ts';

/** The environment with Debian's folder of servers, which is not in the PATH of a user. */
export const SERVER_ENV = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/**
 * Installs Debian packages if what they provide is missing.
 * @param find finds what is needed of them; null while it is missing
 * @throws UserError when that is not possible
 */
export function provide<Found>(packages: readonly string[], find: () => Found | null): Found {
  const found = find();
  if (found !== null) return found;
  const missing = (why: string): UserError => {
    const command = `apt-get install ${packages.join(' ')}`;
    return new UserError(`${packages[0]} is missing (on Debian and Ubuntu: ${command}): ${why}`);
  };
  if (process.getuid?.() !== 0) throw missing('it is installed by root only');
  console.error(`installing ${packages.join(' and ')} …`);
  for (const args of [['update'], ['install', '--yes', ...packages]]) {
    const { status, stderr, error } = spawnSync('apt-get', ['-qq', ...args], { encoding: 'utf8' });
    if (status !== 0) throw missing(error?.message ?? stderr.trim());
  }
  const installed = find();
  if (installed === null) throw missing('apt-get has not installed it');
  return installed;
}
