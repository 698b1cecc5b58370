import { ArchiveDatabase } from '../../../transfer/archive-database.js';
import { readEnv, type Env } from '../../../platform/config/env.js';
import type { RestoreReport } from '../../../transfer/backup/restore-backup.js';
import { ExitCode } from '../../command-line/exit-code.js';
import { Progress } from '../../command-line/progress.js';
import { withApp } from '../../command-line/with-app.js';

/** Runs a command that reads or fills a whole database. */
export async function withArchive<Result>(
  command: (database: ArchiveDatabase) => Promise<Result>,
  env: Env = readEnv(),
): Promise<Result> {
  return withApp((app) => command(new ArchiveDatabase(app)), env);
}

/** Shows the progress of records as soon as their number is known. */
export function recordProgress(): {
  readonly onBegin: (total: number) => void;
  readonly onRecords: (count: number) => void;
  readonly end: () => void;
} {
  let progress: Progress | undefined;
  return {
    onBegin: (total) => (progress = new Progress('records', total)),
    onRecords: (count) => progress?.advance(count),
    end: () => progress?.end(),
  };
}

/** The option of commands that read a whole database. */
export const STOP_OPTION = [
  '--stop',
  'read without a snapshot, for what takes longer than five minutes; all servers must be stopped',
] as const;

export interface StopOption {
  readonly stop?: boolean;
}

/** The option of commands that fill a database. */
export const DROP_OPTION = ['--drop', 'replace what the database has'] as const;

export interface DropOption {
  readonly drop?: boolean;
}

/** The lines about collections that a restore has left out. */
export function skippedLines({ skipped }: RestoreReport): string[] {
  return Object.entries(skipped).map(
    ([name, count]) =>
      `Left out, because it is no collection of Pressroom: ${name} (${count} records)`,
  );
}

/** The lines about what is left to the operator. If there are any, the exit code says so too. */
export function unresolvedLines(unresolved: readonly string[]): string[] {
  if (unresolved.length === 0) return [];
  process.exitCode = ExitCode.LEFT_TO_OPERATOR;
  return ['Left to you:', ...unresolved.map((line) => `  ${line}`)];
}
