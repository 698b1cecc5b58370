import {
  signalIfThere,
  startOwnServer,
  type Call,
  type Mongod,
  type OwnServer,
  type OwnServerOptions,
} from '../../../scripts/support/own-server.ts';
import { freePort } from '../../../scripts/support/network/free-port.ts';
import type { MeasuredServer } from '../../load/measure.ts';
import { pinProcess, type Cpus } from '../machine/cpus.ts';
import { cpuSecondsOf, residentBytesOf } from '../machine/processes.ts';
import { atEnd, codeOf } from '../program.ts';

export const MEGABYTE = 1_024 ** 2;

export interface PressroomOptions extends Pick<OwnServerOptions, 'env' | 'nodeOptions' | 'entry'> {
  readonly name?: string;
  /** The cores to pin to: the server to `server`, and its embedded database, if it has one, to `load`. */
  readonly cpus?: Cpus;
  /** Called with the process id of each start. */
  readonly onStart?: (pid: number) => Promise<void>;
}

/** A Pressroom that can be stopped, killed or suspended. It keeps its address and its database at a new start. */
export class Pressroom implements MeasuredServer {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  readonly #options: PressroomOptions;
  #running: OwnServer | null = null;
  /** The logs of earlier processes: each start begins a new log. */
  #earlierLog = '';

  private constructor(port: number, options: PressroomOptions) {
    this.name = options.name ?? 'Pressroom';
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#options = options;
    atEnd(() => this.#running?.stop());
  }

  /** Starts a server that ends with the program. */
  static async start(options: PressroomOptions = {}): Promise<Pressroom> {
    const server = new Pressroom(await freePort(), options);
    await server.startAgain();
    return server;
  }

  /**
   * Starts the server, for the first time or again.
   * @param changed settings, or another entry point, for this start only
   */
  async startAgain(changed: Pick<PressroomOptions, 'env' | 'entry'> = {}): Promise<void> {
    const { cpus, onStart, env, nodeOptions, entry } = { ...this.#options, ...changed };
    const folder = this.#running?.folder;
    this.#running = await startOwnServer({
      ...(nodeOptions && { nodeOptions }),
      ...(entry !== undefined && { entry }),
      env: { ...this.#options.env, ...env, PORT: String(this.port) },
      ...(folder !== undefined && { folder }),
    });
    if (cpus) {
      pinProcess(cpus.server, this.pid);
      if (this.#running.mongod()) pinProcess(cpus.load, this.mongod.pid);
    }
    await onStart?.(this.pid);
  }

  get process(): OwnServer {
    if (!this.#running) throw new Error('the server has not been started');
    return this.#running;
  }

  get pid(): number {
    return this.process.pid;
  }

  get mongod(): Mongod {
    const mongod = this.process.mongod();
    if (!mongod) throw new Error('the server has no database of its own');
    return mongod;
  }

  get isRunning(): boolean {
    return this.#running?.isRunning() ?? false;
  }

  readonly call: Call = (...args) => this.process.call(...args);

  readonly cpuSeconds = (): number => cpuSecondsOf(this.pid);

  /** The log of the server since its first start. */
  readonly readLog = (): string =>
    this.#earlierLog + (this.isRunning ? this.process.readLog() : '');

  /** @returns the resident memory in MB; NaN if the server has ended */
  residentMegabytes(): number {
    try {
      return Math.round(residentBytesOf(this.pid) / MEGABYTE);
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return NaN;
      throw error;
    }
  }

  /** Stops the server by SIGTERM, as a deployment does. */
  async stop(): Promise<void> {
    await this.process.stop({ isFolderKept: true });
    this.#earlierLog += this.process.readLog();
  }

  /** Ends the server for good, and removes its folder. */
  async remove(): Promise<void> {
    await this.process.stop();
  }

  /** Kills the server by SIGKILL. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.stop();
  }

  signal(signal: NodeJS.Signals): void {
    signalIfThere(this.pid, signal);
  }

  /**
   * Suspends the server or its database, which then answers no request. @returns a function that resumes the process
   */
  hang(what: 'server' | 'database'): () => void {
    const pid = what === 'server' ? this.pid : this.mongod.pid;
    signalIfThere(pid, 'SIGSTOP');
    // SIGTERM does not end a suspended process, so it is resumed at the end of the program.
    const forget = atEnd(() => signalIfThere(pid, 'SIGCONT'));
    return () => {
      signalIfThere(pid, 'SIGCONT');
      forget();
    };
  }
}
