import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ownFolder, ownProcess } from './clean-up.mjs';
import { pinned } from './cpus.mjs';
import { cpuSecondsOf, pssBytesOf, rssBytesOf } from './process.mjs';
import { NODE_FLAGS } from '../../scripts/node-flags.mjs';
import { callServer } from '../../scripts/support/own-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BASELINES = fileURLToPath(new URL('baselines/', import.meta.url));
const ENTRY = join(ROOT, 'dist/main.js');
const START_MS = 120_000;
const STOP_MS = 20_000;

/** What a child inherits: where to find programs, and nothing that would configure it. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR'];

/** Starts the servers of a run, and ends those that are left. */
export class Servers {
  #running = new Set();
  #cpus;
  #mongoUri;
  #apiKey;
  #jwtKey;

  /** @param apiKey sent by `call` */
  constructor({ cpus, mongoUri, apiKey }) {
    this.#cpus = cpus;
    this.#mongoUri = mongoUri;
    this.#apiKey = apiKey;
    // One for the run: a token of one server is good at the others.
    this.#jwtKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    });
  }

  /**
   * The built Pressroom as in production, without rate limits.
   *
   * @param env settings beyond these
   * @param entry another program in its place
   * @param readyPath polled until it answers 200
   */
  startPressroom = (
    env = {},
    { cpu = this.#cpus.server, entry = ENTRY, nodeOptions = [], readyPath = '/health/ready' } = {},
  ) =>
    this.#start([...NODE_FLAGS, ...nodeOptions, entry], {
      cpu,
      readyPath,
      env: {
        NODE_ENV: 'production',
        MONGODB_URI: this.#mongoUri,
        JWT_PRIVATE_KEYS: this.#jwtKey,
        HOST: '127.0.0.1',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'info',
        LOG_REQUESTS: 'notable',
        DOCS: 'off',
        MIGRATE: 'on',
        ...env,
      },
    });

  /** @param name of a program in `baselines/`, without its ending; it answers 200 on `/ready` */
  startBaseline = (name, env = {}, { cpu = this.#cpus.server } = {}) =>
    this.#start([...NODE_FLAGS, join(BASELINES, `${name}.mjs`)], {
      cpu,
      readyPath: '/ready',
      env: { NODE_ENV: 'production', MONGODB_URI: this.#mongoUri, ...env },
    });

  async stopAll() {
    await Promise.all([...this.#running].map((server) => server.stop()));
  }

  async #start(args, { cpu, readyPath, env }) {
    const port = env.PORT ?? String(await freePort());
    const folder = mkdtempSync(join(tmpdir(), 'pressroom-bench-'));
    const disownFolder = ownFolder(folder);
    const removeFolder = () => {
      rmSync(folder, { recursive: true, force: true });
      disownFolder();
    };
    const logFile = join(folder, 'server.log');
    const log = openSync(logFile, 'a', 0o600);
    const [program, programArgs] = pinned(cpu, process.execPath, args);
    const child = ownProcess(
      spawn(program, programArgs, {
        cwd: folder,
        env: { ...inherited(), DATA_DIR: join(folder, 'data'), PORT: port, ...env },
        stdio: ['ignore', log, log],
        // A group of its own: Ctrl-C must not end it while it is measured.
        detached: true,
      }),
    );
    closeSync(log);
    const url = `http://127.0.0.1:${port}`;
    const server = this.#serverOf({ child, removeFolder, logFile, url });
    try {
      await untilReady(server, readyPath);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  #serverOf({ child, removeFolder, logFile, url }) {
    const ended = once(child, 'close');
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    const finish = async (signal) => {
      if (isRunning()) {
        child.kill(signal);
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
        await ended;
        clearTimeout(timer);
      }
      removeFolder();
      this.#running.delete(server);
    };
    const call = (method, path, options) => callServer(url, this.#apiKey, method, path, options);
    const server = {
      url,
      port: Number(new URL(url).port),
      pid: child.pid,
      isRunning,
      cpuSeconds: () => cpuSecondsOf(child.pid),
      rssBytes: () => rssBytesOf(child.pid),
      pssBytes: () => pssBytesOf(child.pid),
      readLog: () => readFileSync(logFile, 'utf8'),
      call,
      signIn: async ({ email, password }) => {
        const { tokens } = await call('POST', '/auth/signin/basic', { body: { email, password } });
        return tokens.accessToken;
      },
      stop: () => finish('SIGTERM'),
      kill: () => finish('SIGKILL'),
    };
    this.#running.add(server);
    return server;
  }
}

function inherited() {
  return Object.fromEntries(
    INHERITED.filter((name) => process.env[name] !== undefined).map((name) => [
      name,
      process.env[name],
    ]),
  );
}

/** @returns a port of the loopback interface that nobody listens on now */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

async function untilReady(server, path) {
  const deadline = performance.now() + START_MS;
  while (server.isRunning() && performance.now() < deadline) {
    const response = await fetch(`${server.url}${path}`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await wait(20);
  }
  throw new Error(`the server is not ready:\n${server.readLog().slice(-4_000)}`);
}
