import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../bin/node-flags.mjs';
import { startLogged } from './logged-process.ts';

const ENTRY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const START_MS = 60_000;
/** pino's number for `error`. */
const ERROR_LEVEL = 50;

/** @returns the environment variables that are needed to find a `mongod`, without settings of the server */
export function inheritedEnv(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'MONGOMS_SYSTEM_BINARY'];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** The API key and the admin of every server that `startOwnServer` starts, unless `env` sets others. */
export const CREDENTIALS = {
  apiKey: 'key-of-an-own-server',
  email: 'root@own-server.example',
  password: 'password of an own server',
};

export interface OwnServerOptions {
  /** Further settings of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node in addition to those of `npm start`. */
  readonly nodeOptions?: readonly string[];
  /** The path of `dist/main.js` of another checkout. */
  readonly entry?: string;
  /** The folder of an earlier server that was stopped with `isFolderKept`; the new server uses its database. */
  readonly folder?: string;
}

export interface CallOptions {
  /** The caller's access token. */
  readonly token?: string | undefined;
  readonly body?: object | undefined;
}

/**
 * @returns `data` of the response
 * @throws Error when the status of the response is no success
 */
export type Call = <Data>(method: string, path: string, options?: CallOptions) => Promise<Data>;

export interface OwnServer {
  readonly url: string;
  readonly folder: string;
  readonly pid: number;
  readonly call: Call;
  readLog(): string;
  /** @returns the lines of the log with the level `error` or higher, and those of stack traces */
  errorLines(): string[];
  readonly isRunning: () => boolean;
  /** The `mongod` of the server; undefined if there is none. */
  mongod(): Mongod | undefined;
  /** Ends the server, and removes its folder unless `isFolderKept`. */
  stop(options?: { readonly isFolderKept?: boolean }): Promise<void>;
}

export interface Mongod {
  readonly pid: number;
  readonly socket: string;
  readonly version: string;
}

/**
 * Starts the built Pressroom as a process of its own: an embedded database in a temporary folder, a free port of
 * 127.0.0.1, no rate limits, and a log of warnings and errors only. It has the API key and the admin of CREDENTIALS.
 *
 * @throws Error with the end of its log when it does not start
 */
export async function startOwnServer({
  env = {},
  nodeOptions = [],
  entry = ENTRY,
  folder = mkdtempSync(join(tmpdir(), 'pressroom-own-')),
}: OwnServerOptions = {}): Promise<OwnServer> {
  const logFile = join(folder, 'server.log');
  // The log of an earlier server in this folder contains its address, which `addressOf` would find.
  rmSync(logFile, { force: true });
  const args = [...NODE_FLAGS, ...nodeOptions, entry];
  const { pid, readLog, isRunning, stop } = startLogged([process.execPath, args], logFile, {
    cwd: folder,
    env: {
      ...inheritedEnv(),
      // With `test` the server logs JSON lines, and prints its URL.
      NODE_ENV: 'test',
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      HOST: '127.0.0.1',
      API_KEY: CREDENTIALS.apiKey,
      ADMIN_EMAIL: CREDENTIALS.email,
      ADMIN_PASSWORD: CREDENTIALS.password,
      RATE_LIMITS: 'off',
      SITE_URL: 'https://blog.example',
      LOG_LEVEL: 'warn',
      LOG_REQUESTS: 'notable',
      ...env,
    },
  });
  const server: Omit<OwnServer, 'url' | 'call'> = {
    folder,
    pid,
    readLog,
    isRunning,
    errorLines: () => errorLinesOf(readLog()),
    mongod: () => mongodOf(folder),
    async stop({ isFolderKept = false } = {}) {
      await stop();
      // A server that has crashed may leave its `mongod` running.
      const { pid: mongodPid } = server.mongod() ?? {};
      if (mongodPid !== undefined) signalIfThere(mongodPid, 'SIGKILL');
      if (!isFolderKept) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    const url = await addressOf(server);
    return {
      ...server,
      url,
      call: (method, path, options) => callServer(url, CREDENTIALS.apiKey, method, path, options),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * @returns `data` of the response
 * @throws Error when the status of the response is no success
 */
export async function callServer<Data>(
  url: string,
  apiKey: string,
  method: string,
  path: string,
  { token, body }: CallOptions = {},
): Promise<Data> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-api-key': apiKey,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { message, data } = (await response.json()) as { message: string; data: Data };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${message}`);
  return data;
}

/** Reads `run.json`, which the server removes when its `mongod` has ended. */
function mongodOf(folder: string): Mongod | undefined {
  try {
    const run = JSON.parse(readFileSync(join(folder, 'data/run.json'), 'utf8')) as {
      mongod?: Mongod;
    };
    return run.mongod;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Sends a signal to a process that may have ended. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function addressOf(server: Pick<OwnServer, 'isRunning' | 'readLog'>): Promise<string> {
  const deadline = performance.now() + START_MS;
  while (server.isRunning() && performance.now() < deadline) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(server.readLog()) ?? [];
    if (address) return address;
    await wait(50);
  }
  throw new Error(`the server does not start:\n${server.readLog().slice(-4_000)}`);
}

function errorLinesOf(log: string): string[] {
  return log.split('\n').filter((line) => {
    if (!line.startsWith('{')) return /^\s+at |^\S*Error\b/.test(line);
    return (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL;
  });
}
