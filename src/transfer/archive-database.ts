import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { OperatorError } from '../platform/config/operator.error.js';
import { DatabaseService } from '../platform/database/database.service.js';
import { MongoLocation } from '../platform/database/mongo-location.js';

/** Advice for the operator, by the code of MongoDB's error. */
const SNAPSHOT_ERRORS: ReadonlyMap<unknown, string> = new Map([
  [
    // SnapshotTooOld
    239,
    'The database keeps a snapshot for five minutes, and reading took longer: stop the servers and ' +
      'repeat the command with --stop, or raise minSnapshotHistoryWindowInSeconds.',
  ],
  [
    // SnapshotUnavailable
    246,
    'The database has no snapshot of now, because a collection or an index was just made: repeat the command.',
  ],
]);

/** Milliseconds within which a server that answers requests writes its heartbeat at least once. */
const HEARTBEAT_MS = 10_000;

/** The database that a command reads completely, or fills. */
export class ArchiveDatabase {
  readonly connection: Connection;
  private readonly database: DatabaseService;
  private readonly location: MongoLocation;

  /** @param app an application without background jobs, which would change what is read or written */
  constructor(readonly app: INestApplicationContext) {
    this.connection = app.get<Connection>(getConnectionToken());
    this.database = app.get(DatabaseService);
    this.location = app.get(MongoLocation, { strict: false });
  }

  get db(): mongo.Db {
    const { db } = this.connection;
    if (!db) throw new Error('the database is not connected');
    return db;
  }

  get isEmbedded(): boolean {
    return this.location.isEmbedded;
  }

  /** Estimates the number of records in these collections. */
  async estimate(collections: readonly string[]): Promise<number> {
    const counts = await Promise.all(
      collections.map((name) => this.db.collection(name).estimatedDocumentCount()),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Reads all collections as of one point in time: in a snapshot session, or while no server runs. MongoDB
   * keeps a snapshot for five minutes (minSnapshotHistoryWindowInSeconds), and a standalone has none.
   *
   * @param options `isStopped`: whether the operator has stopped all servers, so that nothing changes
   * @param work gets the session; undefined without a snapshot
   * @throws OperatorError when a snapshot is not possible, or a server runs in spite of `isStopped`
   */
  async read<Result>(
    { isStopped }: { readonly isStopped: boolean },
    work: (session: ClientSession | undefined) => Promise<Result>,
  ): Promise<Result> {
    if (isStopped) {
      await this.refuseServer('to read without a snapshot');
      const result = await work(undefined);
      await this.refuseServer('to read without a snapshot');
      return result;
    }
    if (!(await this.database.isReplicaSet())) {
      throw new OperatorError(
        'A standalone MongoDB has no snapshots: stop the servers and repeat the command with --stop.',
      );
    }
    const session = await this.connection.startSession({ snapshot: true });
    try {
      return await work(session);
    } catch (error) {
      const message = SNAPSHOT_ERRORS.get((error as { code?: unknown }).code);
      throw message === undefined ? error : new OperatorError(message, { cause: error });
    } finally {
      await session.endSession();
    }
  }

  /** @throws OperatorError when `other` is the same database as this one, even if their URIs differ */
  async refuseSame(other: ArchiveDatabase): Promise<void> {
    const [ownIdentity, otherIdentity] = await Promise.all([this.identity(), other.identity()]);
    if (ownIdentity === otherIdentity) {
      throw new OperatorError('The records are there already: name another database.');
    }
  }

  /** The identity of the MongoDB process, and the name of the database in it. */
  private async identity(): Promise<string> {
    const { topologyVersion } = (await this.db.admin().command({ hello: 1 })) as {
      topologyVersion?: { processId: mongo.ObjectId };
    };
    return `${String(topologyVersion?.processId)} ${this.db.databaseName}`;
  }

  /**
   * Refuses to continue while a server runs on the database. For an embedded database, it is certain
   * whether another process uses it. On any other database, only a server that has answered requests
   * in the last ten seconds is detected, because an idle server writes no heartbeat.
   *
   * @param purpose such as `to restore`
   * @throws OperatorError when a server runs on the database
   */
  async refuseServer(purpose: string): Promise<void> {
    if (this.location.isJoined) {
      throw new OperatorError(`A Pressroom process uses this database: stop it ${purpose}.`);
    }
    if (this.location.isEmbedded) return;
    const since = new Date(Date.now() - HEARTBEAT_MS);
    if (await this.db.collection('beats').findOne({ at: { $gt: since } })) {
      throw new OperatorError(
        `A server has used this database in the last ten seconds: stop the servers ${purpose}.`,
      );
    }
  }
}
