import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import mongoose, { mongo, type Connection } from 'mongoose';
import { ConnectionString } from 'mongodb-connection-string-url';
import { MEMBER_CLIENT } from '../../database/client-options.js';
import { MongoLocation } from '../../database/mongo-location.js';
import type { MemberAnswer, ReplicaSetConfig } from './newest-member.js';

/** The part of the response to `hello` that is used here. */
interface HelloResponse {
  readonly isWritablePrimary?: boolean;
  readonly secondary?: boolean;
  readonly lastWrite?: { readonly opTime: OpTime; readonly majorityOpTime: OpTime };
}

interface OpTime {
  readonly ts: mongo.Timestamp;
  readonly t: unknown;
}

/** The part of the response to `replSetGetConfig` that is used here. */
interface ConfigResponse {
  readonly config: ConfigDocument;
}

interface ConfigDocument {
  readonly version: number;
  readonly term?: unknown;
  readonly members: readonly {
    readonly host: string;
    readonly votes?: number;
    readonly arbiterOnly?: boolean;
  }[];
}

/**
 * Connections to single members of the replica set. Through the main client a read cannot name its member,
 * because the driver chooses one. Each connection is opened when it is first needed.
 */
@Injectable()
export class MemberConnections implements OnApplicationShutdown {
  private readonly clients = new Map<string, mongo.MongoClient>();
  private readonly connections = new Map<string, Connection>();
  private isClosed = false;

  constructor(
    @InjectConnection() private readonly main: Connection,
    private readonly location: MongoLocation,
  ) {}

  /**
   * Asks a member for its state.
   *
   * @returns null for a member whose oplog has no operation yet
   * @throws what the driver throws. It waits a second at most for each step (MEMBER_CLIENT)
   */
  async ask(host: string): Promise<MemberAnswer | null> {
    const client = this.clientOf(host);
    // If its first connection has failed, the driver does not connect by itself any more. After the shutdown, this
    // would open what was closed.
    if (!this.isClosed) await client.connect();
    const admin = client.db('admin');
    const session = client.startSession();
    try {
      const [hello, { config }] = await Promise.all([
        admin.command({ hello: 1 }) as Promise<HelloResponse>,
        admin.command({ replSetGetConfig: 1 }, { session }) as unknown as Promise<ConfigResponse>,
      ]);
      const { isWritablePrimary: isPrimary = false, secondary = false, lastWrite } = hello;
      if (!lastWrite || Number(lastWrite.opTime.t) < 0) return null;
      const { clusterTime } = session;
      const toPosition = ({ ts, t }: OpTime) => ({ time: ts, term: Number(t), clusterTime });
      return {
        host,
        isPrimary,
        isReadable: isPrimary || secondary,
        config: toConfig(config),
        position: toPosition(lastWrite.opTime),
        committed: toPosition(lastWrite.majorityOpTime),
      };
    } finally {
      await session.endSession();
    }
  }

  /**
   * Returns a connection to one member, for `readFrom` of CausalReadBarrier.
   *
   * @param host a member that has answered
   */
  connectionTo(host: string): Connection {
    const known = this.connections.get(host);
    if (known) return known;
    const connection = mongoose.createConnection();
    // Without these options the first read with a model would create its collection and indexes on
    // the member.
    Object.assign(connection.config as object, { autoCreate: false, autoIndex: false });
    connection.setClient(this.clientOf(host));
    this.connections.set(host, connection);
    return connection;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([...this.clients.values()].map((client) => client.close()));
  }

  private clientOf(host: string): mongo.MongoClient {
    const known = this.clients.get(host);
    if (known) return known;
    const client = new mongo.MongoClient(this.uriOf(host), MEMBER_CLIENT);
    this.clients.set(host, client);
    return client;
  }

  /**
   * Returns the URI of the database with this host alone. A `mongodb+srv` URI becomes a `mongodb` URI with the
   * options that `mongodb+srv` implies or takes from DNS.
   */
  private uriOf(host: string): string {
    const uri = new ConnectionString(this.location.uri);
    const { credentials, tls } = this.main.getClient().options;
    if (uri.isSRV) {
      uri.protocol = 'mongodb:';
      uri.searchParams.set('tls', String(tls));
      if (credentials) uri.searchParams.set('authSource', credentials.source);
    }
    uri.hosts = [host];
    for (const name of ['replicaSet', 'readPreference', 'srvMaxHosts', 'srvServiceName']) {
      uri.searchParams.delete(name);
    }
    uri.searchParams.set('directConnection', 'true');
    return uri.href;
  }
}

function toConfig({ version, term, members }: ConfigDocument): ReplicaSetConfig {
  return {
    version,
    term: Number(term ?? 0),
    members: members.map(({ host, votes = 1, arbiterOnly = false }) => ({
      host: host.toLowerCase(),
      votes,
      arbiterOnly,
    })),
  };
}
