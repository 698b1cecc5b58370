import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection } from 'mongoose';
import { UnavailableError } from '../common/http/errors/api.errors.js';

/** A transaction begins no more attempts after this: the request that it is for has been answered. */
const TRANSACTION_MAX_MS = 5_000;

/** A health check must answer well before whoever asks gives up. */
const PING_DEADLINE_MS = 2_000;

/** For so long the answer of one is good for all who ask, from when it came. */
const PING_GOOD_MS = 1_000;

@Injectable()
export class DatabaseService {
  private readonly logger = new Logger(DatabaseService.name);
  private replicaSet: Promise<boolean> | undefined;
  private ping: Promise<boolean> | undefined;
  private pingEndedAt = -Infinity;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Whether the database answers within two seconds, or did less than a second ago. */
  async isReachable(): Promise<boolean> {
    if (this.ping === undefined || performance.now() - this.pingEndedAt >= PING_GOOD_MS) {
      // While it is under way, all join it.
      this.pingEndedAt = Infinity;
      this.ping = this.pingOnce();
    }
    return this.ping;
  }

  /** Replica sets and sharded clusters have transactions and change streams; a standalone has not. */
  async isReplicaSet(): Promise<boolean> {
    this.replicaSet ??= this.hello().then(
      ({ setName, msg }) => setName !== undefined || msg === 'isdbgrid',
      (error: unknown) => {
        // Asked again once the database is there.
        this.replicaSet = undefined;
        throw error;
      },
    );
    return this.replicaSet;
  }

  /**
   * Runs the work in a transaction, again when it loses against another. On a standalone it runs
   * without one, and is told so by `null`.
   *
   * @throws UnavailableError when it has lost for 5 seconds @throws what the work throws
   */
  async transaction(work: (session: ClientSession | null) => Promise<void>): Promise<void> {
    if (!(await this.isReplicaSet())) {
      await work(null);
      return;
    }
    const startedAt = performance.now();
    await this.connection.transaction(async (session) => {
      // The driver would go on for two minutes.
      if (performance.now() - startedAt > TRANSACTION_MAX_MS) {
        throw new UnavailableError('too many changes at the same time: try again in a moment');
      }
      await work(session);
    });
  }

  /** Said once at start, because it decides what the deployment can promise. */
  async warnIfStandalone(): Promise<void> {
    if (await this.isReplicaSet()) return;
    this.logger.warn(
      'MongoDB is a standalone: everything works, but nothing is answered from memory. ' +
        'A replica set (one member is enough) is recommended.',
    );
  }

  private async pingOnce(): Promise<boolean> {
    const hello = this.hello().then(
      () => true,
      () => false,
    );
    // Also the one that has missed the deadline: no other begins before it has ended.
    void hello.then(() => (this.pingEndedAt = performance.now()));
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), PING_DEADLINE_MS).unref();
    });
    return Promise.race([hello, deadline]).finally(() => clearTimeout(timer));
  }

  private async hello(): Promise<{ setName?: string; msg?: string }> {
    return (await this.connection.db?.admin().command({ hello: 1 })) ?? {};
  }
}
