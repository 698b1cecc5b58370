import type { Command } from 'commander';
import { readForBackup } from '../../../transfer/backup/backup-file.js';
import { readBackup } from '../../../transfer/backup/backup-reader.js';
import {
  placeSecrets,
  readSecrets,
  withMissingKeys,
} from '../../../transfer/backup/data-folder-secrets.js';
import type { ArchiveDatabase } from '../../../transfer/archive-database.js';
import { restoreBackup, type RestoreReport } from '../../../transfer/backup/restore-backup.js';
import { STDOUT } from '../../../transfer/output-file.js';
import { readEnv } from '../../../platform/config/env.js';
import { recordAct } from '../../command-line/with-app.js';
import { printResult } from '../../command-line/output.js';
import { targetEnv } from './copy-target.js';
import {
  DROP_OPTION,
  recordProgress,
  skippedLines,
  STOP_OPTION,
  unresolvedLines,
  withArchive,
  type DropOption,
  type StopOption,
} from './with-archive.js';

/** Adds `pressroom copy --to TARGET [--drop --stop]`: backup and restore in one. */
export function addCopyCommand(program: Command): void {
  program
    .command('copy')
    .description('copy all records to another database, such as from the embedded one to your own')
    .requiredOption(
      '--to <target>',
      `a MongoDB URI, or a data folder; ${STDOUT} reads the URI from the standard input`,
    )
    .option(...DROP_OPTION)
    .option(...STOP_OPTION)
    .addHelpText('after', COPY_EXAMPLES)
    .action(
      async (
        { to, drop = false, stop = false }: { to: string } & StopOption & DropOption,
        command: Command,
      ) => {
        const env = readEnv();
        const { target, setting } = await targetEnv(env, to);
        let report: RestoreReport = { records: 0, skipped: {}, unresolved: [] };
        await withArchive(async (source) => {
          await recordAct(source.app, 'data.backedup', { format: 'copy' });
          const files = await readSecrets(env, source.isEmbedded);
          const fill = async (database: ArchiveDatabase): Promise<void> => {
            await database.refuseSame(source);
            const { end, onBegin, onRecords } = recordProgress();
            await readForBackup(
              source,
              { isStopped: stop, files, onBegin, onRecords },
              async (chunks) => {
                const options = { isDropped: drop, onRecords: () => undefined };
                report = await restoreBackup(database, readBackup(chunks), options);
              },
            ).finally(end);
            await placeSecrets(target, files, database.isEmbedded);
            await recordAct(database.app, 'data.restored', {
              format: 'copy',
              count: report.records,
            });
          };
          await withMissingKeys(target, files, () => withArchive(fill, target));
        }, env);
        printResult(command, { ...report, setting }, [
          `Copied: ${report.records} records. Start the server with ${setting}`,
          ...skippedLines(report),
          ...unresolvedLines(report.unresolved),
        ]);
      },
    );
}

const COPY_EXAMPLES = `
Examples:
  $ pressroom copy --to mongodb://db.example:27017/pressroom
  $ echo "$URI" | pressroom copy --to -
  $ MONGODB_URI=mongodb://db.example:27017/pressroom pressroom copy --to ./data`;
