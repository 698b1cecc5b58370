import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../../bin/node-flags.mjs';
import { freePort } from '../../../scripts/support/network/free-port.ts';
import { startLogged } from '../../../scripts/support/logged-process.ts';
import { callServer } from '../../../scripts/support/own-server.ts';
import { entryOf, ROOT } from '../built.ts';
import { pinned, type Cpus } from '../machine/cpus.ts';
import { ownFolder, ownProcess } from '../program.ts';
import { isInTime } from '../timing.ts';
import { cpuSecondsOf, residentBytesOf } from '../machine/processes.ts';

const BASELINES = fileURLToPath(new URL('../../performance/baselines/', import.meta.url));
const START_MS = 120_000;

const { PATH, HOME, TMPDIR } = process.env;
/** The environment variables that a child inherits: those with paths, and none that would configure the server. */
const INHERITED = { PATH, HOME, TMPDIR };

export type Env = Readonly<Record<string, string>>;

export type Headers = Readonly<Record<string, string>>;

export interface Server {
  readonly url: string;
  readonly pid: number;
  readonly cpuSeconds: () => number;
  residentBytes(): number;
  /** @returns the headers for requests of this user */
  signIn(person: { email: string; password: string }): Promise<Headers>;
  stop(): Promise<void>;
}

/** Starts the servers of a run, and stops those that still run at its end. */
export class Servers {
  readonly #running = new Set<Server>();
  readonly #cpus: Cpus;
  readonly #mongoUri: string;
  readonly #apiKey: string;
  readonly #jwtKey: string;

  /** @param apiKey the API key of a sign-in, and of the requests of a user who has signed in */
  constructor({ cpus, mongoUri, apiKey }: { cpus: Cpus; mongoUri: string; apiKey: string }) {
    this.#cpus = cpus;
    this.#mongoUri = mongoUri;
    this.#apiKey = apiKey;
    // All servers of the run share one key, so that a token of one is valid on the others.
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    this.#jwtKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  /**
   * Starts the built Pressroom as in production, but without rate limits.
   * @param env further settings
   * @param entry entry point of another build
   */
  startPressroom = (env: Env = {}, entry = entryOf(ROOT)): Promise<Server> => {
    return this.#start([...NODE_FLAGS, entry], '/health/ready', {
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
    });
  };

  /** @param name name of a program in `baselines/` without its extension; it must answer `/ready` with 200 */
  startBaseline = (name: string, env: Env = {}): Promise<Server> => {
    const args = [...NODE_FLAGS, join(BASELINES, `${name}.ts`)];
    const settings = { NODE_ENV: 'production', MONGODB_URI: this.#mongoUri, ...env };
    return this.#start(args, '/ready', settings);
  };

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running].map((server) => server.stop()));
  }

  async #start(args: string[], readyPath: string, env: Env): Promise<Server> {
    const port = String(await freePort());
    const { folder, remove } = ownFolder();
    const started = startLogged(
      pinned(this.#cpus.server, process.execPath, args),
      join(folder, 'server.log'),
      // The process has a group of its own: Ctrl-C must not end it while it is measured.
      {
        cwd: folder,
        detached: true,
        env: { ...INHERITED, DATA_DIR: join(folder, 'data'), PORT: port, ...env },
      },
    );
    ownProcess(started.child);
    const { pid } = started;
    const url = `http://127.0.0.1:${port}`;
    const server: Server = {
      url,
      pid,
      cpuSeconds: () => cpuSecondsOf(pid),
      residentBytes: () => residentBytesOf(pid),
      signIn: async ({ email, password }) => {
        const data = await callServer<{ tokens: { accessToken: string } }>(
          url,
          this.#apiKey,
          'POST',
          '/auth/signin/basic',
          { body: { email, password } },
        );
        const authorization = `Bearer ${data.tokens.accessToken}`;
        return { 'x-api-key': this.#apiKey, authorization };
      },
      stop: async () => {
        await started.stop();
        remove();
        this.#running.delete(server);
      },
    };
    this.#running.add(server);
    const isReadyOrEnded = async () =>
      !started.isRunning() || (await fetch(url + readyPath).catch(() => null))?.status === 200;
    const hasSettled = await isInTime(isReadyOrEnded, { withinMs: START_MS, everyMs: 20 });
    if (hasSettled && started.isRunning()) return server;
    const said = started.readLog().slice(-4_000);
    await server.stop();
    throw new Error(`the server is not ready:\n${said}`);
  }
}
