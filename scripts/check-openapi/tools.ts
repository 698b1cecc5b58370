import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UserError } from '../support/user-error.ts';

const PINS_FOLDER = fileURLToPath(new URL('.', import.meta.url));
const INSTALL_FOLDER = fileURLToPath(new URL('../../.cache/openapi-tools', import.meta.url));
const BINARIES = join(INSTALL_FOLDER, 'node_modules/.bin');
/** The installation writes this file last, so without it the installation is incomplete. */
const INSTALLED_MARKER = join(INSTALL_FOLDER, 'made-for');
const PINS = ['package.json', 'package-lock.json', 'requirements.txt'] as const;

const execute = promisify(execFile);

/**
 * @returns the output of the program
 * @throws Error with the output, when it fails
 */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, args, {
      maxBuffer: 64 * 1024 * 1024,
      ...options,
      env: { ...process.env, NO_COLOR: '1', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Record<string, string>;
    throw new Error(`${stdout}${stderr}`.trim() || message, { cause: error });
  }
}

/** Runs a program of one of the npm packages in `check-openapi/package.json`. */
export function runTool(name: string, args: readonly string[], cwd?: string): Promise<string> {
  return run(join(BINARIES, name), args, cwd === undefined ? {} : { cwd });
}

export function generate(generator: string, description: string, target: string): Promise<string> {
  const jar = join(INSTALL_FOLDER, 'python/openapi_generator_cli/openapi-generator.jar');
  return run('java', ['-jar', jar, 'generate', '-i', description, '-g', generator, '-o', target]);
}

/**
 * Installs the linters and generators below `.cache`, if they are missing or their versions have
 * changed. They are no development dependencies, because they are larger than all development
 * dependencies together.
 *
 * @throws UserError without Java
 */
export async function prepareTools(): Promise<void> {
  await run('java', ['-version']).catch(() => {
    throw new UserError('openapi-generator needs Java: apt-get install default-jre-headless');
  });
  const hash = createHash('sha256');
  for (const name of PINS) hash.update(readFileSync(join(PINS_FOLDER, name)));
  const wanted = hash.digest('hex');
  if (existsSync(INSTALLED_MARKER) && readFileSync(INSTALLED_MARKER, 'utf8') === wanted) return;
  console.log(`Installing the linters and generators into ${INSTALL_FOLDER} …`);
  rmSync(INSTALL_FOLDER, { recursive: true, force: true });
  mkdirSync(INSTALL_FOLDER, { recursive: true });
  for (const name of PINS) copyFileSync(join(PINS_FOLDER, name), join(INSTALL_FOLDER, name));
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install', '--quiet'];
  await Promise.all([
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: INSTALL_FOLDER }),
    run('python3', [
      ...pip,
      '--no-deps',
      '--target',
      join(INSTALL_FOLDER, 'python'),
      '--requirement',
      join(INSTALL_FOLDER, 'requirements.txt'),
    ]),
  ]);
  writeFileSync(INSTALLED_MARKER, wanted);
}
