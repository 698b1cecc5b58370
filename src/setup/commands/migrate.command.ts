import { MigrationService } from '../../database/migrations/migration.service.js';
import { readFlag } from './read-flag.js';
import { runScript } from './run-script.js';

/** `npm run migrate [-- --dry-run]`: exit code 0, or 2 when something is left to the operator. */
export async function migrate(args: readonly string[]): Promise<never> {
  const dryRun = readFlag(args, '--dry-run', 'npm run migrate');
  return runScript(async (app) => {
    const { changed, unresolved } = await app.get(MigrationService).run({ dryRun });
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
