import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { mongo, type ClientSession, type Connection } from 'mongoose';
import { UnavailableError } from '../http/errors/api.errors.js';

/** Milliseconds after which a transaction is not retried, because the request has reached its deadline. */
const TRANSACTION_MAX_MS = 5_000;

/** Time limit of a health check in milliseconds. Clients often wait only a few seconds. */
const PING_DEADLINE_MS = 2_000;

/** Milliseconds that a health check waits for the primary before a secondary is asked as well. */
const PING_SECOND_TRY_MS = 300;

/** Milliseconds for which a successful ping is reused, counted from its end. */
const PING_REUSE_MS = 1_000;

/** True for replica sets and sharded clusters, which have transactions, snapshots and change streams. */
export async function isReplicaSet(db: mongo.Db): Promise<boolean> {
  const { setName, msg } = await db.admin().command({ hello: 1 });
  return setName !== undefined || msg === 'isdbgrid';
}

@Injectable()
export class DatabaseService {
  private readonly logger = new Logger(DatabaseService.name);
  private replicaSet: Promise<boolean> | undefined;
  /** The check in progress, which concurrent health checks share. */
  private ping: Promise<boolean> | null = null;
  /** End of the latest successful ping, on the clock of `performance.now()`. */
  private reachedAt = -Infinity;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /**
   * Whether the database responds within 2 s. A success is reused for 1 s. A failure is never reused,
   * because requests succeed as soon as the database is back, and a health check must agree with them.
   */
  async isReachable(): Promise<boolean> {
    if (performance.now() - this.reachedAt < PING_REUSE_MS) return true;
    return Promise.race([this.reach(), wait(PING_DEADLINE_MS, false, { ref: false })]);
  }

  /** Does what `isReplicaSet` does, and asks the database only once. */
  async isReplicaSet(): Promise<boolean> {
    const { db } = this.connection;
    this.replicaSet ??= (db ? isReplicaSet(db) : Promise.resolve(false)).catch((error: unknown) => {
      // A failure is not kept, so that the next call asks again.
      this.replicaSet = undefined;
      throw error;
    });
    return this.replicaSet;
  }

  /**
   * Runs the work in a transaction, and repeats it after a write conflict. On a standalone, which has no
   * transactions, the work runs once and gets null instead of a session. The work makes its documents anew each time.
   *
   * @throws UnavailableError when conflicts last for 5 s
   * @throws what the work throws
   */
  async transaction(work: (session: ClientSession | null) => Promise<void>): Promise<void> {
    if (!(await this.isReplicaSet())) {
      await work(null);
      return;
    }
    const startedAt = performance.now();
    // Not `connection.transaction`: Mongoose would reset the documents of a failed attempt, which fails itself for parts
    // of documents in strict schemas, and hides the error by which the driver knows whether to repeat.
    await this.connection.withSession((session) =>
      session.withTransaction(async () => {
        // Without this limit the driver would retry for two minutes.
        if (performance.now() - startedAt > TRANSACTION_MAX_MS) {
          throw new UnavailableError('too many changes at the same time: try again in a moment');
        }
        await work(session);
      }),
    );
  }

  /** Warns, at the start, if the database is a standalone: caches then serve nothing. */
  async warnIfStandalone(): Promise<void> {
    if (await this.isReplicaSet()) return;
    this.logger.warn(
      'MongoDB is a standalone: everything works, but nothing is answered from memory. ' +
        'A replica set (one member is enough) is recommended.',
    );
  }

  private async reach(): Promise<boolean> {
    if (this.ping && (await this.ping)) return true;
    // The shared ping may have begun before the database was back. If it fails, a new ping decides.
    this.ping ??= this.pingServers().finally(() => (this.ping = null));
    return this.ping;
  }

  /** Pings the primary, and a secondary too if the primary is slow, because public reads need no primary. */
  private async pingServers(): Promise<boolean> {
    const first = this.pingBy('primaryPreferred');
    const second = wait(PING_SECOND_TRY_MS, null, { ref: false }).then(async () => {
      const isAnswered = performance.now() - this.reachedAt < PING_SECOND_TRY_MS;
      if (!isAnswered) await this.pingBy('secondaryPreferred');
    });
    return Promise.any([first, second]).then(
      () => true,
      () => false,
    );
  }

  /**
   * Pings one server. Repeats the ping once if its connection breaks, as the driver repeats reads and
   * writes.
   */
  private async pingBy(readPreference: 'primaryPreferred' | 'secondaryPreferred'): Promise<void> {
    const ping = async (): Promise<void> => {
      await this.connection.db?.admin().command({ ping: 1 }, { readPreference });
      this.reachedAt = performance.now();
    };
    await ping().catch((error: unknown) => {
      if (!(error instanceof mongo.MongoNetworkError)) throw error;
      return ping();
    });
  }
}
