import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { Env } from '../../config/env.js';
import { BACKGROUND } from '../client-options.js';
import { ensureIndexes, missingIndexes } from '../indexes.js';
import { MIGRATIONS, type Migration, type MigrationReport } from './migration.js';

const COLLECTION = 'migrations';

interface MigrationRecord {
  readonly _id: string;
  readonly appliedAt: Date;
}

/**
 * Migrates the database to this version; safe to repeat. Uses the background connection, because the
 * timeouts of requests are too short for migrations and index builds.
 */
@Injectable()
export class MigrationService {
  private readonly logger = new Logger(MigrationService.name);
  private isUpToDate = false;
  private checking: Promise<string[]> | null = null;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectConnection(BACKGROUND) private readonly background: Connection,
    @Inject(MIGRATIONS) private readonly migrations: readonly Migration[],
    private readonly env: Env,
  ) {}

  /**
   * Names of the missing migrations and indexes. Queries the database until there are none; concurrent
   * calls share a query.
   */
  async pending(): Promise<string[]> {
    if (this.isUpToDate) return [];
    this.checking ??= this.findPending().finally(() => (this.checking = null));
    return this.checking;
  }

  private async findPending(): Promise<string[]> {
    const missing = (await this.unrecorded()).map(({ name }) => name);
    const pending = [...missing, ...(await missingIndexes(this.connection, this.background))];
    this.isUpToDate = pending.length === 0;
    return pending;
  }

  /**
   * Runs every migration, whether recorded or not, and then creates the indexes.
   *
   * @param options with `dryRun`, returns the same report and writes nothing
   */
  async run(options: { readonly dryRun: boolean }): Promise<MigrationReport> {
    return this.apply(this.migrations, options);
  }

  /**
   * At a start with MIGRATE=on: runs only migrations that are not recorded, and creates indexes. A
   * migration reads all records, and a new index alone must not delay the start by minutes.
   */
  async runIfPending(): Promise<void> {
    if ((await this.pending()).length === 0) return;
    const { changed, unresolved } = await this.apply(await this.unrecorded(), { dryRun: false });
    for (const line of changed) this.logger.log(line);
    for (const line of unresolved) this.logger.warn(line);
  }

  private async unrecorded(): Promise<readonly Migration[]> {
    const names = this.migrations.map(({ name }) => name);
    const applied = await this.records()
      .find({ _id: { $in: names } })
      .toArray();
    return this.migrations.filter(({ name }) => !applied.some(({ _id }) => _id === name));
  }

  private async apply(
    migrations: readonly Migration[],
    options: { readonly dryRun: boolean },
  ): Promise<MigrationReport> {
    const reports: MigrationReport[] = [];
    for (const migration of migrations) {
      const embedHosts = this.env.EMBED_HOSTS;
      reports.push(await migration.run(this.db(), { ...options, embedHosts }));
      if (!options.dryRun) await this.record(migration.name);
    }
    const missing = await missingIndexes(this.connection, this.background);
    const refused = options.dryRun
      ? new Map<string, string>()
      : await ensureIndexes(this.connection, this.background);
    const created = missing.length - refused.size;
    return {
      changed: [
        ...reports.flatMap(({ changed }) => changed),
        ...(created > 0 ? [`indexes created: ${created}`] : []),
      ],
      unresolved: [
        ...reports.flatMap(({ unresolved }) => unresolved),
        ...[...refused].map(([name, reason]) => `index ${name} not created: ${reason}`),
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
