import type { Command } from 'commander';
import { InputFile, STDIN } from '../../../transfer/input-file.js';
import { importRecords } from '../../../transfer/import/pressroom/import-records.js';
import { expectKind } from '../../../transfer/import/files/source-kind.js';
import { recordAct } from '../../command-line/with-app.js';
import { printResult } from '../../command-line/output.js';
import { recordProgress, unresolvedLines, withArchive } from './with-archive.js';

/** Adds `pressroom import pressroom FILE [--dry-run]`. */
export function addImportPressroom(parent: Command): void {
  parent
    .command('pressroom')
    .description('fill a database without articles from an export; stop the servers before')
    .argument('<file>', `a file that export has written; ${STDIN} is the standard input`)
    .option('--dry-run', 'check the file and the database, and write nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, { dryRun = false }: { dryRun?: boolean }, command: Command) => {
      await expectKind(path, 'pressroom');
      const report = await InputFile.use(path, (file) =>
        withArchive(async (database) => {
          await database.refuseServer('to import');
          const { end, onBegin, onRecords } = recordProgress();
          const options = { isDryRun: dryRun, onChecked: onBegin, onRecords };
          const imported = await importRecords(database, file, options).finally(end);
          if (!dryRun) await recordAct(database.app, 'data.imported', { format: 'records' });
          return imported;
        }),
      );
      const { records, present, changed, unresolved } = report;
      const counts = Object.entries(records).map(([name, count]) => `  ${name}: ${count}`);
      printResult(command, { dryRun, ...report }, [
        dryRun ? 'Dry run: nothing was written. An import would write:' : 'Imported:',
        ...counts,
        ...(present > 0 ? [`Already there: ${present}`] : []),
        ...(changed.length > 0 ? ['Changed, because the API would not store it so:'] : []),
        ...changed.map((line) => `  ${line}`),
        'An export holds no passwords and no API keys: pressroom users password, pressroom seed',
        ...unresolvedLines(unresolved),
      ]);
    });
}

const EXAMPLES = `
Examples:
  $ pressroom import pressroom pressroom.ndjson --dry-run
  $ pressroom import pressroom pressroom.ndjson
  $ gunzip -c pressroom.ndjson.gz | pressroom import pressroom -`;
