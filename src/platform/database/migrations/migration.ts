import type { mongo } from 'mongoose';

/** What a migration found and did, as text for the operator. */
export interface MigrationReport {
  /** One line per kind of change, such as `12 blogs: cleaned their HTML`, and lines about single records. */
  readonly changed: readonly string[];
  /** What the operator has to resolve, usually one line per record. */
  readonly unresolved: readonly string[];
}

export interface MigrationOptions {
  /** Whether to write nothing, and report what would be changed. */
  readonly dryRun: boolean;
  /** The setting EMBED_HOSTS; default: no hosts. */
  readonly embedHosts?: readonly string[];
  /**
   * Called by the migration before each batch of writes, possibly in a dry run as well. Throws when the lock
   * is lost and another process may be migrating. The error ends the migration: what is written stays, and
   * the next run goes on from there.
   */
  readonly beforeWrite?: (() => void) | undefined;
}

/** Adapts existing records to this version; safe to repeat. */
export interface Migration {
  /** Name such as `2026-11-blogs`, which is stored in the collection `migrations` after the migration has run. */
  readonly name: string;
  run(db: mongo.Db, options: MigrationOptions): Promise<MigrationReport>;
}

/** Injection token of all migrations, in the order in which they run. */
export const MIGRATIONS = Symbol('migrations');
