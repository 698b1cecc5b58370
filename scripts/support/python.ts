import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));

const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install', '--quiet'];

export interface Python {
  /** The Python interpreter. */
  readonly program: string;
  /** The folder with the programs that the packages install. */
  readonly bin: string;
  /** Folders for PYTHONPATH. */
  readonly path: readonly string[];
}

/**
 * Installs Python programs into a virtual environment below `.cache`, if it is missing or the requirements have
 * changed. If Python has no `venv`, as on Debian, the packages go into a plain folder, to which PYTHONPATH must
 * point.
 *
 * @param name name of the folder
 * @param requirements path of a requirements.txt
 * @throws Error with the output of pip
 */
export async function preparePython(name: string, requirements: string): Promise<Python> {
  const folder = join(CACHE, name);
  // Folder of the packages if Python has no `venv`.
  const packages = join(folder, 'packages');
  // The installation writes this file last, so without it the installation is incomplete.
  const marker = join(folder, 'made-for');
  const requirementsHash = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== requirementsHash) {
    await install(folder, packages, requirements);
    writeFileSync(marker, requirementsHash);
  }
  return existsSync(packages)
    ? { program: 'python3', bin: join(packages, 'bin'), path: [packages] }
    : { program: join(folder, 'bin/python3'), bin: join(folder, 'bin'), path: [] };
}

async function install(folder: string, packages: string, requirements: string): Promise<void> {
  console.log(`Installing Python packages into ${folder} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const hasVenv = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
  if (hasVenv) {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/python3'), [...PIP, '--requirement', requirements]);
  } else {
    await run('python3', [...PIP, '--target', packages, '--requirement', requirements]);
  }
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
