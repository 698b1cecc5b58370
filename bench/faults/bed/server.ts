import {
  signalIfThere,
  startOwnServer,
  type OwnServer,
  type OwnServerOptions,
} from '../../../scripts/support/own-server.ts';
import { freePort } from '../../../scripts/support/network/free-port.ts';
import { atEnd } from '../../support/program.ts';
import type { Network, Party } from './network.ts';

/** What is another for each server. */
export type ServerOptions = Pick<OwnServerOptions, 'env' | 'nodeOptions' | 'entry'>;

/** A Pressroom that keeps its address and folder when it is started again. */
export class Server {
  readonly party: Party;
  readonly port: number;
  readonly url: string;
  readonly #network: Network;
  readonly #options: ServerOptions;
  #running: OwnServer | null = null;
  #folder: string | null = null;
  /** Of those that ran before: each start begins a new log. */
  #earlierLog = '';

  private constructor(
    network: Network,
    index: number,
    { port, options }: { port: number; options: ServerOptions },
  ) {
    this.party = `server-${index}`;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#network = network;
    this.#options = options;
    atEnd(() => this.#running?.stop());
  }

  /** It ends with the program. */
  static async start(network: Network, index: number, options: ServerOptions): Promise<Server> {
    const server = new Server(network, index, { port: await freePort(), options });
    await server.startAgain();
    return server;
  }

  /** @param entry the path of `dist/main.js` of another checkout; left out: of that of the first start */
  async startAgain(entry?: string): Promise<void> {
    this.#running = await startOwnServer({
      ...this.#options,
      env: { ...this.#options.env, PORT: String(this.port) },
      ...(entry === undefined ? {} : { entry }),
      ...(this.#folder === null ? {} : { folder: this.#folder }),
    });
    this.#folder = this.#running.folder;
    await this.#network.register(this.party, this.pid);
  }

  get process(): OwnServer {
    if (!this.#running) throw new Error(`${this.party} has not been started`);
    return this.#running;
  }

  get pid(): number {
    return this.process.pid;
  }

  get isRunning(): boolean {
    return this.#running?.isRunning() ?? false;
  }

  /** Ends it as a deploy does. */
  async stop(): Promise<void> {
    await this.process.stop({ isFolderKept: true });
    this.#earlierLog += this.process.readLog();
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.stop();
  }

  signal(signal: NodeJS.Signals): void {
    signalIfThere(this.pid, signal);
  }

  /** What it has logged since its first start. */
  readonly readLog = (): string =>
    this.#earlierLog + (this.isRunning ? this.process.readLog() : '');
}
