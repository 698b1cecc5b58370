import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { atEnd } from '../clean-up.js';
import { freePort, freePorts } from '../../../scripts/support/network/free-port.ts';
import { until } from '../time/wait.js';
import { disconnect } from './mongo.js';

/** Milliseconds. Short times are enough for members on one machine. */
const SHORT_TIMEOUTS = { heartbeatIntervalMillis: 100, electionTimeoutMillis: 1_000 };

/** Set by global-setup.mjs. */
const BINARY_VARIABLE = 'PRESSROOM_TEST_MONGOD';
const FOLDER_VARIABLE = 'PRESSROOM_TEST_FOLDER';

/**
 * A `mongod`, as a standalone or a member of a replica set, that a test may stop and start again. The
 * data stay until `remove`.
 */
export class OwnMongo {
  private process: ChildProcess | null = null;
  /** The members of its replica set, or only itself. */
  private members: readonly OwnMongo[] = [this];

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly replicaSet: string | null,
    private readonly hasFailPoints = false,
  ) {
    atEnd(() => this.remove());
  }

  /** @param hasFailPoints whether `failPoint` may be called */
  static async createStandalone({ hasFailPoints = false } = {}): Promise<OwnMongo> {
    const mongo = new OwnMongo(await freePort(), await freshFolder(), null, hasFailPoints);
    await mongo.start();
    return mongo;
  }

  /** A replica set of one member. @param hasFailPoints whether `failPoint` may be called */
  static async create({ hasFailPoints = false } = {}): Promise<OwnMongo> {
    const mongo = new OwnMongo(await freePort(), await freshFolder(), 'own', hasFailPoints);
    await mongo.start();
    await mongo.initiate([{ _id: 0, host: mongo.host }]);
    return mongo;
  }

  /**
   * A primary and a secondary that is never elected, both with fail points.
   *
   * @param votes of the secondary; with 0, the primary alone is a majority
   */
  static async createPair({ votes }: { readonly votes: 0 | 1 }): Promise<[OwnMongo, OwnMongo]> {
    const [primary, secondary] = await OwnMongo.makeMembers(2);
    await Promise.all([primary.start(), secondary.start()]);
    await primary.initiate([
      { _id: 0, host: primary.host },
      { _id: 1, host: secondary.host, priority: 0, votes },
    ]);
    await secondary.untilHelloShows('a secondary', ({ secondary: isReady }) => isReady === true);
    return [primary, secondary];
  }

  /**
   * Three members with fail points. The first one begins as the primary.
   *
   * @param electionTimeoutMillis how long the others wait for the primary before they elect another
   */
  static async createThree(electionTimeoutMillis: number): Promise<[OwnMongo, OwnMongo, OwnMongo]> {
    const [primary, ...others] = await OwnMongo.makeMembers(3);
    await Promise.all([primary.start(), ...others.map((other) => other.start())]);
    const members = [primary, ...others].map(({ host }, _id) => ({ _id, host, priority: 3 - _id }));
    // Without chaining, a lagging secondary cannot delay the other one.
    await primary.initiate(members, { electionTimeoutMillis, chainingAllowed: false });
    for (const other of others) {
      await other.untilHelloShows('a secondary', ({ secondary: isReady }) => isReady === true);
    }
    return [primary, ...others];
  }

  /** Members that are not started yet, with fail points, each on a port of its own. */
  private static async makeMembers(count: 2): Promise<[OwnMongo, OwnMongo]>;
  private static async makeMembers(count: 3): Promise<[OwnMongo, OwnMongo, OwnMongo]>;
  private static async makeMembers(count: number): Promise<OwnMongo[]> {
    const ports = await freePorts(count);
    const members = await Promise.all(
      ports.map(async (port) => new OwnMongo(port, await freshFolder(), 'own', true)),
    );
    for (const member of members) member.members = members;
    return members;
  }

  private get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  private async initiate(members: readonly object[], settings: object = {}): Promise<void> {
    await this.command({
      replSetInitiate: { _id: 'own', members, settings: { ...SHORT_TIMEOUTS, ...settings } },
    });
    await this.untilHelloShows('a primary', ({ isWritablePrimary }) => isWritablePrimary === true);
  }

  private async untilHelloShows(
    description: string,
    condition: (hello: mongoose.mongo.Document) => boolean,
  ): Promise<void> {
    const client = await this.client();
    const hello = () => client.db('admin').command({ hello: 1 });
    await until(description, async () => condition(await hello()), 60_000);
    await client.close();
  }

  uri(database: string): string {
    const options = this.replicaSet === null ? '' : `?replicaSet=${this.replicaSet}`;
    return `mongodb://127.0.0.1:${this.port}/${database}${options}`;
  }

  async start(): Promise<void> {
    const binary = process.env[BINARY_VARIABLE];
    if (!binary) throw new Error(`${BINARY_VARIABLE} is unset: run the tests with npm test`);
    const memberOptions = this.replicaSet === null ? [] : ['--replSet', this.replicaSet];
    const options = ['--port', String(this.port), '--dbpath', this.folder, ...memberOptions];
    const failPointOptions = this.hasFailPoints ? ['--setParameter', 'enableTestCommands=1'] : [];
    const fixedOptions = ['--bind_ip', '127.0.0.1', '--wiredTigerCacheSizeGB', '0.25', '--quiet'];
    this.process = spawn(binary, [...options, ...failPointOptions, ...fixedOptions], {
      stdio: 'ignore',
    });
    await (await this.client()).close();
  }

  /** Stops by default as `docker stop` does: running operations are interrupted, then the sockets close. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.process;
    this.process = null;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Suspends the process: its sockets stay open, but it does not respond. */
  async suspend(): Promise<void> {
    const child = this.process;
    child?.kill('SIGSTOP');
    // Until the signal is delivered, mongod may still respond.
    await until('mongod is suspended', () => isSuspended(child?.pid));
  }

  resume(): void {
    this.process?.kill('SIGCONT');
  }

  async remove(): Promise<void> {
    if (this.process) await disconnect(this.members.map(({ host }) => host));
    await this.stop('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Sets a fail point; `mode: 'off'` clears it.
   *
   * @returns how often the fail point has been hit so far
   */
  async failPoint(name: string, mode: string | object, data: object = {}): Promise<number> {
    const { count } = await this.command({ configureFailPoint: name, mode, data });
    return Number(count);
  }

  /** Puts a secondary into the state RECOVERING, in which it refuses reads, or back. */
  async maintenance(isOn: boolean): Promise<void> {
    await this.command({ replSetMaintenance: isOn });
    await this.untilHelloShows('another state', ({ secondary }) => secondary !== isOn);
  }

  /** The number of running operations that match. */
  async countOperations(match: object): Promise<number> {
    const pipeline = [{ $currentOp: { idleSessions: false } }, { $match: match }];
    const command = { aggregate: 1, pipeline, cursor: {} };
    const { cursor } = await this.command(command, { readPreference: 'nearest' });
    return cursor.firstBatch.length;
  }

  private async command(
    command: object,
    options: mongoose.mongo.RunCommandOptions = {},
  ): Promise<mongoose.mongo.Document> {
    const client = await this.client();
    try {
      return await client.db('admin').command(command, options);
    } finally {
      await client.close();
    }
  }

  private client(): Promise<mongoose.mongo.MongoClient> {
    return mongoose.mongo.MongoClient.connect(
      `mongodb://127.0.0.1:${this.port}/?directConnection=true`,
    );
  }
}

function isSuspended(pid: number | undefined): boolean {
  return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

function freshFolder(): Promise<string> {
  const folder = process.env[FOLDER_VARIABLE];
  if (!folder) throw new Error(`${FOLDER_VARIABLE} is unset: run the tests with npm test`);
  return mkdtemp(join(folder, 'own-'));
}
