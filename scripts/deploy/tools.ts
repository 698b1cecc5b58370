import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { preparePython } from '../support/python.ts';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));

/**
 * The programs that are not on the Python Package Index: name, the option that prints the version, and Debian's
 * package.
 */
const PACKAGES = [
  ['promtool', '--version', 'prometheus'],
  ['systemd-analyze', '--version', 'systemd'],
  ['nginx', '-v', 'nginx'],
] as const;

/**
 * Runs a program.
 *
 * @returns its output
 * @throws Error with the output, when it fails
 */
export type Run = (program: string, args: readonly string[], input?: string) => string;

/**
 * Installs missing programs by apt-get and pip.
 *
 * @returns the function that runs programs, also those that pip has installed
 * @throws Error with the output of apt-get or pip
 */
export async function prepareTools(): Promise<Run> {
  const { bin, path } = await preparePython('deploy-venv', REQUIREMENTS);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, PYTHONPATH: path.join(':') };
  const run: Run = (program, args, input = '') => {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      env,
      input,
      encoding: 'utf8',
    });
    if (status === 0) return stdout + stderr;
    throw new Error(`${program} ${args.join(' ')}\n${error?.message ?? stdout + stderr}`);
  };
  const missing = PACKAGES.filter(
    ([program, version]) => spawnSync(program, [version]).error !== undefined,
  );
  if (missing.length > 0) {
    const names = missing.map(([, , name]) => name);
    run('apt-get', ['-qq', 'update']);
    run('apt-get', ['-qq', 'install', '--yes', '--no-install-recommends', ...names]);
  }
  return run;
}
