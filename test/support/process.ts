import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { atEnd } from './clean-up.js';
import { until } from './time/wait.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** The Node flags with which the server is always started, for example by `npm start`. */
export const NODE_FLAGS = readFileSync(join(ROOT, 'node-flags.txt'), 'utf8').trim().split(/\s+/);

export interface RunningProcess {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Resolves with the exit code, or the signal's name, once the process has ended. */
  readonly ended: Promise<number | string>;
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** All of standard input; empty when left out. */
  readonly input?: string;
}

/**
 * Starts `node <file>` of the repository with NODE_FLAGS. Its environment has PATH, HOME and `env` only.
 * If the process still runs after the tests of the file, it gets SIGTERM.
 */
export function startNode(
  args: readonly string[],
  { cwd, env = {}, input = '' }: ProcessOptions,
): RunningProcess {
  const [file = '', ...rest] = args;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [...NODE_FLAGS, join(ROOT, file), ...rest], {
    cwd,
    env: { PATH, HOME, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that does not read its input may end before all of it is written.
  child.stdin.on('error', () => undefined).end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = once(child, 'close').then(
    ([code, signal]: (number | string | null)[]) => code ?? signal ?? 'unknown',
  );
  atEnd(() => {
    child.kill();
    return ended;
  });
  return { child, output, ended };
}

/** Starts a process as `startNode` does, and waits until it has ended. */
export async function runNode(
  args: readonly string[],
  options: ProcessOptions,
): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const { ended, output } = startNode(args, options);
  return { code: await ended, ...output };
}

/** Waits until the server has printed its URL. @returns the URL */
export async function untilReady({ output, child }: RunningProcess): Promise<string> {
  await until(
    'the server to be ready',
    () => {
      if (child.exitCode !== null)
        throw new Error(`the server ended: ${output.stderr}${output.stdout}`);
      return /http:\/\/127\.0\.0\.1:\d+/.test(output.stdout);
    },
    60_000,
  );
  return /http:\/\/127\.0\.0\.1:\d+/.exec(output.stdout)?.[0] ?? '';
}

/** Creates an empty temporary folder, which is removed after the tests of the file. @returns its path */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'pressroom-'));
  atEnd(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Writes files into a new temporary folder, by their paths within it. @returns its path */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** The content of `credentials.json`, which the first start with an embedded database writes. */
export interface Credentials {
  readonly apiKey: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
}

export async function credentialsIn(dataFolder: string): Promise<Credentials> {
  return JSON.parse(await readFile(join(dataFolder, 'credentials.json'), 'utf8')) as Credentials;
}

/** Signs the admin in. @returns the codes of the roles, and the headers of the admin's requests */
export async function signInAdmin(
  url: string,
  { apiKey, adminEmail, adminPassword }: Credentials,
): Promise<{ roles: string[]; headers: Record<string, string> }> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const body = JSON.stringify({ email: adminEmail, password: adminPassword });
  const response = await fetch(`${url}/auth/signin/basic`, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`${url} does not let the admin sign in`);
  const { data } = (await response.json()) as {
    data: { user: { roles: { code: string }[] }; tokens: { accessToken: string } };
  };
  return {
    roles: data.user.roles.map(({ code }) => code),
    headers: { ...headers, authorization: `Bearer ${data.tokens.accessToken}` },
  };
}

/** Deletes every API key, as the admin. */
export async function deleteApiKeys(url: string, credentials: Credentials): Promise<void> {
  const { headers } = await signInAdmin(url, credentials);
  const list = await fetch(`${url}/admin/apikeys`, { headers });
  for (const { _id } of ((await list.json()) as { data: { _id: string }[] }).data) {
    await fetch(`${url}/admin/apikeys/id/${_id}`, { method: 'DELETE', headers });
  }
}
