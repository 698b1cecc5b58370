import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../.cache/fuzz-venv', import.meta.url));
/** Written last: without this file the installation is incomplete. */
const INSTALLED_MARKER = join(FOLDER, 'made-for');
/** The folder of the packages if Python has no `venv`. */
const PACKAGES = join(FOLDER, 'packages');

const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install', '--quiet'];

export interface Python {
  readonly program: string;
  /** Folders for PYTHONPATH. */
  readonly path: readonly string[];
}

/**
 * Installs schemathesis into a virtual environment under `.cache`, if that is missing or the
 * requirements have changed. Debian's Python has no `venv`: there the packages go into a plain folder,
 * for PYTHONPATH.
 *
 * @throws Error with the output of pip
 */
export async function preparePython(): Promise<Python> {
  const requirementsHash = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  if (!existsSync(INSTALLED_MARKER) || readFileSync(INSTALLED_MARKER, 'utf8') !== requirementsHash)
    await install(requirementsHash);
  return existsSync(PACKAGES)
    ? { program: 'python3', path: [PACKAGES] }
    : { program: join(FOLDER, 'bin/python3'), path: [] };
}

async function install(requirementsHash: string): Promise<void> {
  console.log(`Installing schemathesis into ${FOLDER} …`);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const hasVenv = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
  if (hasVenv) {
    await run('python3', ['-m', 'venv', FOLDER]);
    await run(join(FOLDER, 'bin/python3'), [...PIP, '--requirement', REQUIREMENTS]);
  } else {
    await run('python3', [...PIP, '--target', PACKAGES, '--requirement', REQUIREMENTS]);
  }
  writeFileSync(INSTALLED_MARKER, requirementsHash);
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream
        .setEncoding('utf8')
        .on('data', (text: string) => (output = (output + text).slice(-4_000)));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')} ended with ${String(code)}:\n${output}`));
    });
  });
}
