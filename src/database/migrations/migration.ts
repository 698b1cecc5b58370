import type { mongo } from 'mongoose';

/** What a migration found and did, in words for the operator. */
export interface MigrationReport {
  /** One line per kind of change, such as `12 blogs: cleaned their HTML`. */
  readonly changed: readonly string[];
  /** What is left to the operator, one line per record. */
  readonly unresolved: readonly string[];
}

/** One step that brings existing records into shape; safe to repeat. */
export interface Migration {
  /** Recorded once it has run, such as `2026-11-blogs`. */
  readonly name: string;
  /** With `dryRun` it reports the same and writes nothing. */
  run(db: mongo.Db, options: { readonly dryRun: boolean }): Promise<MigrationReport>;
}

/** Injection token of all migrations, in the order in which they run. */
export const MIGRATIONS = Symbol('migrations');
