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
  private known: readonly string[] = [];
  private serverCount = 0;
  private finding: Promise<void> | null = null;
  private driverPrimary: string | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly connections: MemberConnections,
  ) {
    this.watchTopology();
  }

  /** The hosts that vote and hold data; empty where nothing can fail over, and until they are known. */
  get hosts(): readonly string[] {
    return this.known;
  }

  /** The primary, as the driver knows it. */
  get primary(): string | null {
    return this.driverPrimary;
  }

  /**
   * Finds the members, at its first call. Nothing can fail over on a standalone, behind `mongos`, and
   * with a replica set of one member.
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

  /** @param config the newest configuration that members have told */
  adopt(config: ReplicaSetConfig): void {
    this.known = votersOf(config).map(({ host }) => host);
  }

  private async findOnce(): Promise<void> {
    const admin = this.connection.getClient().db('admin');
    const options = { readPreference: 'primaryPreferred', maxTimeMS: OPERATION_MAX_MS } as const;
    const hello: Hello = await admin.command({ hello: 1 }, options);
    const { setName, hosts = [], passives = [], primary } = hello;
    const members = [...hosts, ...passives].map((host) => host.toLowerCase());
    if (setName === undefined || members.length < 2) return;
    this.driverPrimary = primary?.toLowerCase() ?? null;
    // The rights are checked in the background: until then a read goes to the member that the
    // driver chooses.
    void this.checkRights(members);
  }

  private async checkRights(members: readonly string[]): Promise<void> {
    const asked = await Promise.allSettled(members.map((host) => this.connections.ask(host)));
    const isRefused = asked.some(
      (answer) => answer.status === 'rejected' && isUnauthorized(answer.reason),
    );
    if (!isRefused) {
      this.known = members;
      return;
    }
    this.logger.warn(
      'The user of MONGODB_URI may not ask for the configuration of the replica set, so public reads ' +
        'wait while a primary is elected: grant it "replSetGetConfig" on the cluster.',
    );
  }

  /** Follows the topology, because a new member may make a failover possible. */
  private watchTopology(): void {
    this.connection
      .getClient()
      .on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
        const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary');
        this.driverPrimary = primary?.address ?? null;
        const isMore = servers.size > this.serverCount;
        this.serverCount = servers.size;
        if (isMore && this.known.length < 2) this.finding = null;
      });
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === UNAUTHORIZED;
}
