import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { ApiKeyService } from '../../apikey/api-key.service.js';
import { FormerAuthorService } from '../../blog/trash/former-author.service.js';
import { dropOldIndexes } from '../../database/indexes.js';
import type { MigrationReport } from '../../database/migrations/migration.js';
import { MigrationService } from '../../database/migrations/migration.service.js';
import { OLD_INDEXES } from '../../blog/migration/old-indexes.js';
import { readFlags } from './read-flags.js';
import { runScript } from './run-script.js';

/**
 * `npm run migrate [-- --dry-run --hash-keys --drop-old-indexes]`. The exit code is 2 when the operator
 * has to resolve something, else 0. Plain API keys and old indexes are kept by default, because an
 * older server on the same database needs them.
 */
export async function migrate(args: readonly string[]): Promise<never> {
  const flags = readFlags(
    args,
    ['--dry-run', '--hash-keys', '--drop-old-indexes'],
    'npm run migrate',
  );
  const dryRun = flags.has('--dry-run');
  return runScript(async (app) => {
    const reports: MigrationReport[] = [await app.get(MigrationService).run({ dryRun })];
    // A dry run does not report the blogs of deleted accounts: removing them is no migration.
    const removed = dryRun ? 0 : await app.get(FormerAuthorService).cleanUpDeletedAccounts();
    if (removed > 0) {
      reports.push({ changed: [`blogs of deleted accounts removed: ${removed}`], unresolved: [] });
    }
    if (flags.has('--hash-keys')) {
      reports.push(await app.get(ApiKeyService).hashPlainKeys({ dryRun }));
    }
    if (flags.has('--drop-old-indexes')) {
      const connection = app.get<Connection>(getConnectionToken());
      const changed = await dropOldIndexes(connection, OLD_INDEXES, { dryRun });
      reports.push({ changed, unresolved: [] });
    }
    const changed = reports.flatMap((report) => report.changed);
    const unresolved = reports.flatMap((report) => report.unresolved);
    const lines = [
      dryRun ? 'Dry run: nothing was written. A run would report:' : 'Migrated:',
      ...(changed.length > 0 ? changed : ['nothing to change']).map((line) => `  ${line}`),
      ...(unresolved.length > 0 ? ['Left to you:'] : []),
      ...unresolved.map((line) => `  ${line}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return unresolved.length > 0 ? 2 : 0;
  });
}
