import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Command } from 'commander';
import type { Connection } from 'mongoose';
import { ApiKeyService } from '../../../apikey/api-key.service.js';
import { Resealing } from '../../../auth/keys/resealing.service.js';
import { dropOldIndexes } from '../../../platform/database/indexes.js';
import type { MigrationReport } from '../../../platform/database/migrations/migration.js';
import { MigrationService } from '../../../platform/database/migrations/migration.service.js';
import { addExamples } from '../../command-line/examples.js';
import { ExitCode } from '../../command-line/exit-code.js';
import { printResult } from '../../command-line/output.js';
import { withApp } from '../../command-line/with-app.js';
import { OLD_INDEXES } from './old-indexes.js';

interface MigrateOptions {
  readonly dryRun?: boolean;
  readonly hashKeys?: boolean;
  readonly dropOldIndexes?: boolean;
}

/**
 * Adds `pressroom migrate [--dry-run --hash-keys --drop-old-indexes]`. Plain API keys and old
 * indexes are kept by default, because an older server on the same database needs them.
 */
export function addMigrateCommand(program: Command): void {
  const command = program
    .command('migrate')
    .description('change the database to what this version needs; can be repeated')
    .option('--dry-run', 'write nothing, and report what a run would change')
    .option('--hash-keys', 'replace plain API keys by hashes; older servers cannot read them')
    .option('--drop-old-indexes', 'drop the indexes that only earlier versions use')
    .action(async (options: MigrateOptions, self: Command) => {
      const { changed, unresolved } = await withApp((app) => migrate(app, options));
      printResult(self, { dryRun: options.dryRun ?? false, changed, unresolved }, [
        options.dryRun ? 'Dry run: nothing was written. A run would report:' : 'Migrated:',
        ...(changed.length > 0 ? changed : ['nothing to change']).map((line) => `  ${line}`),
        ...(unresolved.length > 0 ? ['Left to you:'] : []),
        ...unresolved.map((line) => `  ${line}`),
      ]);
      if (unresolved.length > 0) process.exitCode = ExitCode.LEFT_TO_OPERATOR;
    });
  addExamples(command, 'migrate --dry-run', 'migrate');
}

async function migrate(
  app: INestApplicationContext,
  { dryRun = false, hashKeys = false, dropOldIndexes: dropIndexes = false }: MigrateOptions,
): Promise<MigrationReport> {
  const reports: MigrationReport[] = [await app.get(MigrationService).run({ dryRun })];
  reports.push(await app.get(Resealing).run({ dryRun }));
  if (hashKeys) reports.push(await app.get(ApiKeyService).hashPlainKeys({ dryRun }));
  if (dropIndexes) {
    const connection = app.get<Connection>(getConnectionToken());
    reports.push({
      changed: await dropOldIndexes(connection, OLD_INDEXES, { dryRun }),
      unresolved: [],
    });
  }
  return {
    changed: reports.flatMap((report) => report.changed),
    unresolved: reports.flatMap((report) => report.unresolved),
  };
}
