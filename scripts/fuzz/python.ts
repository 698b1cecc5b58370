import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../.cache/fuzz-venv', import.meta.url));
/** Written last: a folder without it is half made. */
const MARK = join(FOLDER, 'made-for');
/** Where the packages are when the virtual environment could not be made. */
const PACKAGES = join(FOLDER, 'packages');

const PIP = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install', '--quiet'];

export interface Python {
  readonly program: string;
  /** Folders for PYTHONPATH. */
  readonly path: readonly string[];
}

/**
 * A python with schemathesis: a virtual environment under `.cache`, made once and again when the
 * requirements have changed. Debian's python comes without `venv`; there, the packages go into a
 * plain folder that PYTHONPATH names.
 *
 * @throws Error with what pip has written
 */
export async function preparePython(): Promise<Python> {
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== wanted) await install(wanted);
  return existsSync(PACKAGES)
    ? { program: 'python3', path: [PACKAGES] }
    : { program: join(FOLDER, 'bin/python3'), path: [] };
}

async function install(mark: string): Promise<void> {
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
  writeFileSync(MARK, mark);
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
