import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './node-flags.mjs';

const ENTRY = fileURLToPath(new URL('../dist/main.js', import.meta.url));
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

/**
 * Starts the built Pressroom as a process of its own: an embedded database in a temporary folder, a
 * free port of 127.0.0.1, no rate limits, and a log of warnings and errors only. It knows CREDENTIALS.
 *
 * @param env settings beyond these
 * @param entry the built server of another checkout in the place of this one's
 * @returns its address and process, and how to call it, to read its log and to end it
 * @throws Error with the end of its log when it does not start
 */
export async function startOwnServer({ env = {}, nodeOptions = [], entry = ENTRY } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-own-'));
  const logFile = join(folder, 'server.log');
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(process.execPath, [...NODE_FLAGS, ...nodeOptions, entry], {
    cwd: folder,
    env: {
      ...Object.fromEntries(INHERITED.flatMap((name) => entryOf(name))),
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
  const server = {
    folder,
    pid: child.pid,
    readLog: () => readFileSync(logFile, 'utf8'),
    errorLines: () => errorLinesOf(readFileSync(logFile, 'utf8')),
    call: (method, path, options) =>
      callServer(server.url, CREDENTIALS.apiKey, method, path, options),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** The `mongod` that it has started: `pid` and `socket`; undefined where there is none. */
    mongod: () => mongodOf(folder),
    /** Ends it, and removes its folder unless that is to be kept. */
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
    return Object.assign(server, { url: await addressOf(server) });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** @returns `data` of the answer; @throws Error when it is not a success */
export async function callServer(url, apiKey, method, path, { token, body } = {}) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-api-key': apiKey,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body ? JSON.stringify(body) : undefined,
  });
  const { message, data } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${message}`);
  return data;
}

/** What `run.json` says: the server removes that file once its `mongod` has ended. */
function mongodOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'data/run.json'), 'utf8')).mongod;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Signals a process that may have ended meanwhile. */
export function signalIfThere(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function entryOf(name) {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}

async function addressOf(server) {
  const deadline = performance.now() + START_MS;
  while (server.isRunning() && performance.now() < deadline) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(server.readLog()) ?? [];
    if (address) return address;
    await wait(50);
  }
  throw new Error(`the server does not start:\n${server.readLog().slice(-4_000)}`);
}

/** @returns the lines of a log that say `error` or worse, or that are no log lines but a stack */
function errorLinesOf(log) {
  return log.split('\n').filter((line) => {
    if (!line.startsWith('{')) return /^\s+at |^\S*Error\b/.test(line);
    return JSON.parse(line).level >= ERROR_LEVEL;
  });
}
