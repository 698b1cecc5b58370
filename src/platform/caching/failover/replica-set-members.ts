import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type Connection } from 'mongoose';
import { OPERATION_MAX_MS } from '../../database/client-options.js';
import { MemberConnections } from './member-connections.js';
import { votersOf, type ReplicaSetConfig } from './newest-member.js';

/** The part of the answer to `hello` that describes the replica set. */
interface Hello {
  readonly setName?: string;
  readonly hosts?: readonly string[];
  readonly passives?: readonly string[];
  readonly primary?: string;
}

/** Error code of MongoServerError "Unauthorized". */
const UNAUTHORIZED = 13;

/** The members of the replica set that can be asked one by one. */
@Injectable()
export class ReplicaSetMembers {
  private readonly logger = new Logger(ReplicaSetMembers.name);
  private knownHosts: readonly string[] = [];
  private serverCount = 0;
  private finding: Promise<void> | null = null;
  private driverPrimary: string | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly connections: MemberConnections,
  ) {
    this.watchTopology();
  }

  /**
   * Hosts of the members that probes ask: those that `hello` lists, and after the first probe those that vote
   * and hold data. Empty if nothing can fail over, if the user of MONGODB_URI lacks the privilege
   * `replSetGetConfig`, and until the members are known.
   */
  get hosts(): readonly string[] {
    return this.knownHosts;
  }

  /** Host of the primary, as the driver knows it. */
  get primary(): string | null {
    return this.driverPrimary;
  }

  /**
   * Finds the members at the first call. If it has found none, it looks again after a server was added. It
   * finds none on a standalone, behind `mongos`, and in a replica set of one member, where nothing can fail
   * over.
   *
   * @throws what the driver throws; the next call asks again
   */
  async find(): Promise<void> {
    this.finding ??= this.findOnce().catch((error: unknown) => {
      this.finding = null;
      throw error;
    });
    return this.finding;
  }

  /** Sets `hosts` to the members that vote and hold data, by the configuration that the newest member has reported. */
  adopt(config: ReplicaSetConfig): void {
    this.knownHosts = votersOf(config).map(({ host }) => host);
  }

  private async findOnce(): Promise<void> {
    const admin = this.connection.getClient().db('admin');
    const options = { readPreference: 'primaryPreferred', maxTimeMS: OPERATION_MAX_MS } as const;
    const hello: Hello = await admin.command({ hello: 1 }, options);
    const { setName, hosts = [], passives = [], primary } = hello;
    const members = [...hosts, ...passives].map((host) => host.toLowerCase());
    if (setName === undefined || members.length < 2) return;
    this.driverPrimary = primary?.toLowerCase() ?? null;
    // The members are asked in the background. Until they have answered, a read goes to the member that the
    // driver chooses.
    void this.adoptIfPermitted(members);
  }

  /** Sets `hosts` to these members, unless the user of MONGODB_URI lacks the privilege `replSetGetConfig`. */
  private async adoptIfPermitted(members: readonly string[]): Promise<void> {
    const answers = await Promise.allSettled(members.map((host) => this.connections.ask(host)));
    const isRefused = answers.some(
      (answer) => answer.status === 'rejected' && isUnauthorized(answer.reason),
    );
    if (!isRefused) {
      this.knownHosts = members;
      return;
    }
    this.logger.warn(
      'The user of MONGODB_URI may not ask for the configuration of the replica set, so public reads ' +
        'wait while a primary is elected: grant it "replSetGetConfig" on the cluster.',
    );
  }

  /** Follows the topology: the primary may change, and a new member may make a failover possible. */
  private watchTopology(): void {
    this.connection
      .getClient()
      .on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
        const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary');
        this.driverPrimary = primary?.address ?? null;
        const hasNewServer = servers.size > this.serverCount;
        this.serverCount = servers.size;
        if (hasNewServer && this.knownHosts.length < 2) this.finding = null;
      });
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === UNAUTHORIZED;
}
