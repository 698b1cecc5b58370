import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { startLogged, type LoggedProcess } from '../../../scripts/support/logged-process.ts';
import { signalIfThere } from '../../../scripts/support/own-server.ts';
import { atEnd, ownFolder, ownProcess } from '../../support/program.ts';
import type { Network, Party } from './network.ts';

const { MongoClient } = mongoose.mongo;
const START_MS = 60_000;
/** Milliseconds to wait for the response to `hello`. */
const HELLO_MS = 1_000;
export const REPLICA_SET = 'testbed';

export interface Hello {
  readonly isWritablePrimary?: boolean;
  readonly secondary?: boolean;
  readonly lastWrite?: { readonly opTime: { readonly ts: mongoose.mongo.Timestamp } };
}

/** A `mongod` behind a proxy. Its data outlive restarts, until the program ends. */
export class Member {
  readonly party: Party;
  /** The address by which the replica set and the servers know the member: that of its proxy. */
  readonly host: string;
  readonly #port: number;
  readonly #binary: string;
  readonly #network: Network;
  readonly #folder = ownFolder().folder;
  /** A connection that stays open, because `hello` is sent often. */
  readonly #helloClient: mongoose.mongo.MongoClient;
  #process: LoggedProcess | null = null;

  constructor(
    network: Network,
    index: number,
    { binary, port, proxyPort }: { binary: string; port: number; proxyPort: number },
  ) {
    this.party = `member-${index}`;
    this.host = `127.0.0.1:${proxyPort}`;
    this.#port = port;
    this.#binary = binary;
    this.#network = network;
    this.#helloClient = this.#client(HELLO_MS);
    atEnd(() => this.kill());
    atEnd(() => this.#helloClient.close());
  }

  get isRunning(): boolean {
    return this.#process?.isRunning() ?? false;
  }

  get pid(): number {
    return this.#process?.pid ?? NaN;
  }

  readonly readLog = (): string => readFileSync(join(this.#folder, 'mongod.log'), 'utf8');

  /** Starts the member, with the data of earlier starts if there are any. */
  async start(): Promise<void> {
    const args = [
      `--replSet=${REPLICA_SET}`,
      `--dbpath=${this.#folder}`,
      `--port=${this.#port}`,
      '--bind_ip=127.0.0.1',
      '--nounixsocket',
      '--quiet',
      '--wiredTigerCacheSizeGB=0.25',
      '--oplogSize=256',
      '--setParameter=enableTestCommands=1',
      '--setParameter=diagnosticDataCollectionEnabled=false',
    ];
    // The process has a group of its own: Ctrl-C must not end it before the programs that use it.
    const options = { detached: true };
    const logFile = join(this.#folder, 'mongod.log');
    this.#process = startLogged([this.#binary, args], logFile, options);
    ownProcess(this.#process.child);
    await this.#network.register(this.party, this.pid);
    await this.command({ ping: 1 }, START_MS);
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    // SIGKILL ends a suspended process as well. `stop` waits for the exit.
    signalIfThere(this.pid, 'SIGKILL');
    await this.#process?.stop();
  }

  /** Stops the process: its sockets stay open, but it does not respond. */
  async suspend(): Promise<void> {
    signalIfThere(this.pid, 'SIGSTOP');
    while (!/^State:\s+T/m.test(readFileSync(`/proc/${this.pid}/status`, 'utf8'))) await wait(1);
  }

  resume(): void {
    if (this.isRunning) signalIfThere(this.pid, 'SIGCONT');
  }

  /** Makes the primary step down, as an operator does before maintenance. */
  async stepDown(seconds = 60): Promise<void> {
    await this.command({ replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 10 }, 20_000);
  }

  /** @returns the response of the member, or null when it does not respond */
  async hello(): Promise<Hello | null> {
    if (!this.isRunning) return null;
    return this.#helloClient
      .db('admin')
      .command({ hello: 1 })
      .then(
        (hello) => hello as Hello,
        () => null,
      );
  }

  /** Sets a fail point; `mode: 'off'` clears it. */
  async failPoint(name: string, mode: string | object, data: object = {}): Promise<void> {
    await this.command({ configureFailPoint: name, mode, data });
  }

  /** Runs a command on this member, not through the proxy. @param withinMs limit for the response, in milliseconds */
  async command(command: object, withinMs = 10_000): Promise<mongoose.mongo.Document> {
    return this.withClient((client) => client.db('admin').command(command), withinMs);
  }

  /** Calls `use` with a client that is connected to this member, not to the proxy. */
  async withClient<Result>(
    use: (client: mongoose.mongo.MongoClient) => Promise<Result>,
    withinMs = 10_000,
  ): Promise<Result> {
    const client = this.#client(withinMs);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  #client(withinMs: number): mongoose.mongo.MongoClient {
    return new MongoClient(`mongodb://127.0.0.1:${this.#port}/?directConnection=true`, {
      serverSelectionTimeoutMS: withinMs,
      connectTimeoutMS: withinMs,
      socketTimeoutMS: withinMs,
      heartbeatFrequencyMS: 500,
      readPreference: 'nearest',
    });
  }
}
