import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../node-flags.mjs';

const ENTRY = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const START_MS = 60_000;
const STOP_MS = 20_000;
/** pino's number for `error`. */
const ERROR_LEVEL = 50;

/** What the child inherits: where to find a `mongod`, and nothing that would configure the server. */
const INHERITED = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'MONGOMS_SYSTEM_BINARY'];

/** The key and the administrator that every own server is seeded with. */
export const CREDENTIALS = {
  apiKey: 'key-of-an-own-server',
  email: 'root@own-server.example',
  password: 'password of an own server',
};

export interface OwnServerOptions {
  /** Settings beyond those that every own server has. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node beyond those of `npm start`. */
  readonly nodeOptions?: readonly string[];
  /** The built server of another checkout in the place of this one's. */
  readonly entry?: string;
}

export interface CallOptions {
  /** The access token of whoever calls. */
  readonly token?: string | undefined;
  readonly body?: object | undefined;
}

/** @returns `data` of the answer; @throws Error when it is not a success */
export type Call = <Data>(method: string, path: string, options?: CallOptions) => Promise<Data>;

export interface OwnServer {
  readonly url: string;
  readonly folder: string;
  readonly pid: number;
  readonly call: Call;
  readLog(): string;
  /** The lines of the log that say `error` or worse, or that are no log lines but a stack. */
  errorLines(): string[];
  isRunning(): boolean;
  /** The `mongod` that it has started; undefined where there is none. */
  mongod(): Mongod | undefined;
  /** Ends it, and removes its folder unless that is to be kept. */
  stop(options?: { readonly isFolderKept?: boolean }): Promise<void>;
}

export interface Mongod {
  readonly pid: number;
  readonly socket: string;
}

/**
 * Starts the built Pressroom as a process of its own: an embedded database in a temporary folder, a
 * free port of 127.0.0.1, no rate limits, and a log of warnings and errors only. It knows CREDENTIALS.
 *
 * @throws Error with the end of its log when it does not start
 */
export async function startOwnServer({
  env = {},
  nodeOptions = [],
  entry = ENTRY,
}: OwnServerOptions = {}): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-own-'));
  const logFile = join(folder, 'server.log');
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [...NODE_FLAGS, ...nodeOptions, entry], {
    cwd: folder,
    env: {
      ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
      // JSON lines, and the address on the standard output.
      NODE_ENV: 'test',
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      HOST: '127.0.0.1',
      API_KEY: CREDENTIALS.apiKey,
      ADMIN_EMAIL: CREDENTIALS.email,
      ADMIN_PASSWORD: CREDENTIALS.password,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      LOG_REQUESTS: 'notable',
      ...env,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = once(child, 'close');
  const server: Omit<OwnServer, 'url' | 'call'> = {
    folder,
    pid: child.pid ?? 0,
    readLog: () => readFileSync(logFile, 'utf8'),
    errorLines: () => errorLinesOf(readFileSync(logFile, 'utf8')),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    mongod: () => mongodOf(folder),
    async stop({ isFolderKept = false } = {}) {
      if (server.isRunning()) {
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
        await ended;
        clearTimeout(timer);
      }
      // One that has crashed has left it behind.
      const { pid } = server.mongod() ?? {};
      if (pid !== undefined) signalIfThere(pid, 'SIGKILL');
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

/** @returns `data` of the answer; @throws Error when it is not a success */
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

/** What `run.json` says: the server removes that file once its `mongod` has ended. */
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

/** Signals a process that may have ended meanwhile. */
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
