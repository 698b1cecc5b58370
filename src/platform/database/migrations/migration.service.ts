import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { Env } from '../../config/env.js';
import { BACKGROUND } from '../client-options.js';
import { ensureIndexes, missingIndexes } from '../indexes.js';
import type { HeldLock } from '../lock/held-lock.js';
import { JobLock } from '../lock/job-lock.js';
import { MIGRATIONS, type Migration, type MigrationReport } from './migration.js';

const COLLECTION = 'migrations';

/** The name of the lock under which one process at a time migrates. */
export const MIGRATIONS_LOCK = 'migrations';

/** Interval in milliseconds at which a process that waits for the lock tries to claim it. */
const WAIT_MS = 500;

interface MigrationRecord {
  readonly _id: string;
  readonly appliedAt: Date;
}

/**
 * Migrates the database to this version. One process at a time migrates. It is safe to migrate again, even
 * after a process was killed in the middle. Uses the background connection, because the timeouts of
 * requests are too short for migrations and index builds.
 */
@Injectable()
export class MigrationService {
  private readonly logger = new Logger(MigrationService.name);
  /** When a query found nothing missing, by the clock of `performance`; null before that. */
  private upToDateAt: number | null = null;
  private pendingQuery: Promise<string[]> | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectConnection(BACKGROUND) private readonly background: Connection,
    @Inject(MIGRATIONS) private readonly migrations: readonly Migration[],
    private readonly env: Env,
    private readonly lock: JobLock,
  ) {}

  /**
   * Names of the missing migrations and indexes. Concurrent calls share a query.
   *
   * @param maxAgeMs milliseconds for which a query that found nothing missing is good enough. Afterwards somebody may
   *   have dropped the database.
   */
  async pending(maxAgeMs = Infinity): Promise<string[]> {
    if (this.upToDateAt !== null && performance.now() - this.upToDateAt < maxAgeMs) return [];
    this.pendingQuery ??= this.findPending().finally(() => (this.pendingQuery = null));
    return this.pendingQuery;
  }

  private async findPending(): Promise<string[]> {
    const missingMigrations = (await this.unrecorded()).map(({ name }) => name);
    const pending = [
      ...missingMigrations,
      ...(await missingIndexes(this.connection, this.background)),
    ];
    this.upToDateAt = pending.length === 0 ? performance.now() : null;
    return pending;
  }

  /**
   * Runs every migration, also those that the collection `migrations` records as applied, and then creates the
   * indexes. Waits while another process migrates.
   *
   * @param options with `dryRun`, reports what would be done, writes nothing and does not wait
   * @throws LockLostError when another process may have taken over
   */
  async run({ dryRun }: { readonly dryRun: boolean }): Promise<MigrationReport> {
    if (dryRun) return this.apply(this.migrations, null);
    return this.locked((lock) => this.apply(this.migrations, lock));
  }

  /**
   * Runs only migrations that are not recorded, and creates indexes; for a start with MIGRATE=on. A
   * migration reads all records, which may take minutes, so none runs if only an index is missing. Waits
   * while another process migrates, and then runs what is still missing, usually nothing.
   *
   * @throws LockLostError when another process may have taken over
   */
  async runIfPending(): Promise<void> {
    if ((await this.pending()).length === 0) return;
    const { changed, unresolved } = await this.locked(async (lock) =>
      this.apply(await this.unrecorded(), lock),
    );
    for (const line of changed) this.logger.log(line);
    for (const line of unresolved) this.logger.warn(line);
  }

  /** Waits for the lock, and does work under it. Processes of versions without this lock do not wait. */
  private async locked<Result>(work: (lock: HeldLock) => Promise<Result>): Promise<Result> {
    for (let loggedHolder = ''; ; await wait(WAIT_MS)) {
      const claimed = await this.lock.claim(MIGRATIONS_LOCK, 0);
      if (claimed) return this.lock.hold(claimed, work);
      const holder = await this.lock.holderOf(MIGRATIONS_LOCK);
      if (holder === null || holder === loggedHolder) continue;
      loggedHolder = holder;
      // The level is `warn`, because commands show only warnings and errors.
      this.logger.warn(`waiting: ${holder} is migrating the database`);
    }
  }

  private async unrecorded(): Promise<readonly Migration[]> {
    const names = this.migrations.map(({ name }) => name);
    const applied = await this.records()
      .find({ _id: { $in: names } })
      .toArray();
    return this.migrations.filter(({ name }) => !applied.some(({ _id }) => _id === name));
  }

  /**
   * Runs the migrations, and then creates the missing indexes.
   *
   * @param lock null for a dry run
   */
  private async apply(
    migrations: readonly Migration[],
    lock: HeldLock | null,
  ): Promise<MigrationReport> {
    // A migration may create an index that it needs.
    const missing = await missingIndexes(this.connection, this.background);
    const reports: MigrationReport[] = [];
    const beforeWrite = () => lock?.check();
    const options = { dryRun: lock === null, embedHosts: this.env.EMBED_HOSTS, beforeWrite };
    for (const migration of migrations) {
      reports.push(await migration.run(this.db(), options));
      beforeWrite();
      if (lock) await this.record(migration.name);
    }
    beforeWrite();
    const refusedIndexes = lock
      ? await ensureIndexes(this.connection, this.background)
      : new Map<string, string>();
    const createdCount = missing.length - refusedIndexes.size;
    return {
      changed: [
        ...reports.flatMap(({ changed }) => changed),
        ...(createdCount > 0 ? [`indexes created: ${createdCount}`] : []),
      ],
      unresolved: [
        ...reports.flatMap(({ unresolved }) => unresolved),
        ...[...refusedIndexes].map(([name, reason]) => `index ${name} not created: ${reason}`),
      ],
    };
  }

  private async record(name: string): Promise<void> {
    await this.records().updateOne(
      { _id: name },
      { $setOnInsert: { appliedAt: new Date() } },
      { upsert: true },
    );
  }

  private records(): mongo.Collection<MigrationRecord> {
    return this.db().collection<MigrationRecord>(COLLECTION);
  }

  private db(): mongo.Db {
    const { db } = this.background;
    if (!db) throw new Error('the database is not connected');
    return db;
  }
}
