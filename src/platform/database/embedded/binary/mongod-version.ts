import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const RUN_TIMEOUT_MS = 15_000;
const OLDEST_MAJOR = 6;

/** The release series of a version: `6.0` for `6.0.5`. Data is opened only with the series that wrote it. */
export function seriesOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/**
 * Parses the output of `mongod --version`.
 *
 * @returns the version, such as `6.0.5`; null when the output has none
 */
function parseMongodVersion(output: string): string | null {
  return /^\s*db version v(\d+\.\d+\.\d+)/m.exec(output)?.[1] ?? null;
}

/**
 * Checks whether a version can be used.
 *
 * @param series the series that existing data needs; undefined for a new folder
 * @returns the reason why it cannot be used, or null
 */
export function versionProblem(version: string, series?: string): string | null {
  if (Number(version.split('.')[0]) < OLDEST_MAJOR) {
    return `it is ${version}, older than ${OLDEST_MAJOR}.0`;
  }
  if (series !== undefined && seriesOf(version) !== series) {
    return `it is ${version}, the data needs ${series}`;
  }
  return null;
}

/**
 * Runs `<binary> --version`.
 *
 * @returns the version, such as `6.0.5`
 * @throws {Error} with a one-line reason when the file does not run or is no mongod
 */
export async function readMongodVersion(binary: string): Promise<string> {
  let output: string;
  try {
    output = (await run(binary, ['--version'], { timeout: RUN_TIMEOUT_MS })).stdout;
  } catch (error) {
    throw new Error(`${binary} does not run (${whyNotRun(error)})`, { cause: error });
  }
  const version = parseMongodVersion(output);
  if (version === null) throw new Error(`${binary} does not say which version of mongod it is`);
  return version;
}

/** Says why a binary did not run: a known cause, else the last line of its stderr, else its exit code. */
function whyNotRun(error: unknown): string {
  const { code, signal, stderr } = error as { code?: unknown; signal?: unknown; stderr?: string };
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES') return 'not executable';
  // 4.4 was the last series for processors without AVX.
  if (signal === 'SIGILL') return 'the processor lacks AVX instructions, which MongoDB needs';
  const line = stderr?.trim().split('\n').at(-1);
  return line || `exit ${String(code ?? signal)}`;
}
