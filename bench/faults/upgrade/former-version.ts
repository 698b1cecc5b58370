import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/built.ts';
import { UserError } from '../../../scripts/support/user-error.ts';

/**
 * Commit of the former version: the newest one that creates a record for every `POST`, even with the same
 * `Idempotency-Key`, and that cannot read without a primary.
 */
export const FORMER_COMMIT = process.env['FAULTS_FORMER'] ?? 'f0b7650';

/**
 * Builds the former version in a folder of its own, unless an earlier run has built it.
 * @returns the folder
 * @throws UserError when this clone does not have the commit
 */
export function buildFormerVersion(): string {
  const commit = hashOf(FORMER_COMMIT);
  const folder = join(ROOT, '.cache/versions', commit);
  if (existsSync(folder)) return folder;
  console.error(`building ${FORMER_COMMIT} …`);
  const buildFolder = `${folder}-${process.pid}`;
  mkdirSync(buildFolder, { recursive: true });
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: Infinity });
    execFileSync('tar', ['-x', '-C', buildFolder], { input: archive });
    if (hasOurDependencies(buildFolder))
      symlinkSync(join(ROOT, 'node_modules'), join(buildFolder, 'node_modules'));
    else run(buildFolder, 'npm', ['ci']);
    run(buildFolder, process.execPath, [
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
    ]);
    renameSync(buildFolder, folder);
  } finally {
    rmSync(buildFolder, { recursive: true, force: true });
  }
  return folder;
}

function hashOf(commit: string): string {
  try {
    const args = ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`];
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    throw new UserError(
      `the former version, commit ${commit}, is not in this clone: "git fetch --unshallow" gets it`,
    );
  }
}

/** Whether each dependency of the former version is installed here in the same version. */
function hasOurDependencies(folder: string): boolean {
  const [former, ours] = [folder, ROOT].map(
    (each) =>
      (
        JSON.parse(readFileSync(join(each, 'package.json'), 'utf8')) as {
          dependencies: Readonly<Record<string, string>>;
        }
      ).dependencies,
  ) as [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
  return Object.entries(former).every(([name, version]) => ours[name] === version);
}

function run(cwd: string, command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
}
