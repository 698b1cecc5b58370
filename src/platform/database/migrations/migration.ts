import type { mongo } from 'mongoose';

/** What a migration found and did, as text for the operator. */
export interface MigrationReport {
  /** One line per kind of change, such as `12 blogs: cleaned their HTML`. */
  readonly changed: readonly string[];
  /** What the operator has to resolve, one line per record. */
  readonly unresolved: readonly string[];
}

export interface MigrationOptions {
  /** Whether to return the same report and write nothing. */
  readonly dryRun: boolean;
  /** The setting EMBED_HOSTS; none when left out. */
  readonly embedHosts?: readonly string[];
  /**
   * Called before each batch of writes, also of writes that a dry run leaves out. It throws when
   * another process may migrate by now, which ends the migration: what is written stays, and
   * another run goes on from there.
   */
  readonly beforeWrite?: (() => void) | undefined;
}

/** Adapts existing records to this version; safe to repeat. */
export interface Migration {
  /** Stored in the collection `migrations` after it has run, such as `2026-11-blogs`. */
  readonly name: string;
  run(db: mongo.Db, options: MigrationOptions): Promise<MigrationReport>;
}

/** Injection token of all migrations, in the order in which they run. */
export const MIGRATIONS = Symbol('migrations');
