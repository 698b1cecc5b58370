import type { Command } from 'commander';
import { importRecords } from '../../../transfer/import/pressroom/import-records.js';
import { printResult } from '../../command-line/output.js';
import { recordProgress, unresolvedLines, withArchive } from './with-archive.js';

/** Adds `pressroom import pressroom FILE [--dry-run]`. */
export function addImportPressroom(parent: Command): void {
  parent
    .command('pressroom')
    .description('fill a database without articles from an export; stop the servers before')
    .argument('<file>', 'a file that export has written')
    .option('--dry-run', 'check the file and the database, and write nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, { dryRun = false }: { dryRun?: boolean }, command: Command) => {
      const { records, present, unresolved } = await withArchive(async (database) => {
        await database.refuseServer('to import');
        const { end, onBegin, onRecords } = recordProgress();
        const options = { isDryRun: dryRun, onChecked: onBegin, onRecords };
        return importRecords(database, file, options).finally(end);
      });
      const counts = Object.entries(records).map(([name, count]) => `  ${name}: ${count}`);
      printResult(command, { dryRun, records, present, unresolved }, [
        dryRun ? 'Dry run: nothing was written. An import would write:' : 'Imported:',
        ...counts,
        ...(present > 0 ? [`Already there: ${present}`] : []),
        'An export holds no passwords and no API keys: pressroom users password, pressroom seed',
        ...unresolvedLines(unresolved),
      ]);
    });
}

const EXAMPLES = `
Examples:
  $ pressroom import pressroom pressroom.ndjson --dry-run
  $ pressroom import pressroom pressroom.ndjson`;
