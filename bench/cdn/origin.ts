import {
  signalIfThere,
  startOwnServer,
  type Call,
  type OwnServer,
} from '../../scripts/support/own-server.ts';
import type { MeasuredServer } from '../load/measure.ts';
import { freePort } from '../../scripts/support/network/free-port.ts';
import { pinProcess, type Cpus } from '../support/cpus.ts';
import { cpuSecondsOf } from '../support/processes.ts';
import { atEnd } from '../support/program.ts';

/** As docs/cdn.md starts it. */
const SETTINGS = {
  PUBLIC_CACHE: '10m',
  PUBLIC_CACHE_STALE: '1h',
  WEBHOOK_HTTP: 'on',
  WEBHOOK_PRIVATE: 'on',
  // No run takes longer.
  ACCESS_TOKEN_TTL: '12h',
};

/** The Pressroom behind the CDN. It can be ended and started again, on the same port and database. */
export class Origin implements MeasuredServer {
  readonly port: number;
  readonly url: string;
  readonly #cpus: Cpus;
  #server: OwnServer | null = null;

  private constructor(port: number, cpus: Cpus) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#cpus = cpus;
  }

  /** Starts it; it ends with the program. */
  static async start(cpus: Cpus): Promise<Origin> {
    const origin = new Origin(await freePort(), cpus);
    atEnd(() => origin.#server?.stop());
    await origin.startAgain();
    return origin;
  }

  /** @param settings other than those of docs/cdn.md */
  async startAgain(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#server = await startOwnServer({
      env: { ...SETTINGS, PORT: String(this.port), ...settings },
      ...(this.#server ? { folder: this.#server.folder } : {}),
    });
    pinProcess(this.#cpus.server, this.#server.pid);
    pinProcess(this.#cpus.load, this.#mongodPid());
  }

  readonly call: Call = (...args) => this.#running().call(...args);

  readonly cpuSeconds = (): number => cpuSecondsOf(this.#running().pid);

  get mongoVersion(): string {
    return this.#running().mongod()?.version ?? 'unknown';
  }

  stop(): Promise<void> {
    return this.#running().stop({ isFolderKept: true });
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    signalIfThere(this.#running().pid, 'SIGKILL');
    await this.stop();
  }

  /** Stops the process, or its database, which answers nobody then. @returns lets it go on */
  hang(what: 'server' | 'database'): () => void {
    const pid = what === 'server' ? this.#running().pid : this.#mongodPid();
    signalIfThere(pid, 'SIGSTOP');
    // Stopped, it could not be ended either.
    const forget = atEnd(() => signalIfThere(pid, 'SIGCONT'));
    return () => {
      signalIfThere(pid, 'SIGCONT');
      forget();
    };
  }

  #running(): OwnServer {
    if (!this.#server) throw new Error('Pressroom has not been started');
    return this.#server;
  }

  #mongodPid(): number {
    const { pid } = this.#running().mongod() ?? {};
    if (pid === undefined) throw new Error('Pressroom has no database of its own');
    return pid;
  }
}
