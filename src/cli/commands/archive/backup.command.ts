import type { Command } from 'commander';
import {
  checkBackupFile,
  readBackupFile,
  writeBackup,
} from '../../../transfer/backup/backup-file.js';
import {
  placeSecrets,
  readSecrets,
  usableSecrets,
  withMissingKeys,
} from '../../../transfer/backup/data-folder-secrets.js';
import { restoreBackup, type RestoreReport } from '../../../transfer/backup/restore-backup.js';
import type { ArchiveDatabase } from '../../../transfer/archive-database.js';
import { InputFile, STDIN } from '../../../transfer/input-file.js';
import { STDOUT } from '../../../transfer/output-file.js';
import { readEnv } from '../../../platform/config/env.js';
import { recordAct } from '../../command-line/with-app.js';
import { printResult } from '../../command-line/output.js';
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

/** Adds `pressroom backup FILE [--stop]`. */
export function addBackupCommand(program: Command): void {
  program
    .command('backup')
    .description('write all records to one file, with password hashes and other secrets')
    .argument('<file>', `the new file; ${STDOUT} is the standard output`)
    .option(...STOP_OPTION)
    .addHelpText('after', BACKUP_EXAMPLES)
    .action(async (file: string, { stop = false }: StopOption, command: Command) => {
      const env = readEnv();
      let records = 0;
      await withArchive(async (database) => {
        await recordAct(database.app, 'data.backedup', { format: 'file' });
        const { end, onBegin, onRecords } = recordProgress();
        await writeBackup(database, file, {
          isStopped: stop,
          files: await readSecrets(env, database.isEmbedded),
          onBegin,
          onRecords: (count) => onRecords((records += count) && count),
        }).finally(end);
      }, env);
      if (file !== STDOUT) {
        printResult(command, { file, records }, [`Backed up: ${records} records to ${file}`]);
      }
    });
}

const BACKUP_EXAMPLES = `
Examples:
  $ pressroom backup pressroom.backup
  $ pressroom backup - | age --passphrase > pressroom.backup.age`;

/** Adds `pressroom restore FILE [--drop]`. */
export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('fill an empty database from a backup; stop the servers before')
    .argument('<file>', `a file that backup has written; ${STDIN} is the standard input`)
    .option(...DROP_OPTION)
    .addHelpText('after', RESTORE_EXAMPLES)
    .action(async (path: string, { drop = false }: DropOption, command: Command) => {
      const env = readEnv();
      await InputFile.use(path, async (file) => {
        // The whole file is checked before anything is written.
        const { files, createdAt, records } = await checkBackupFile(file);
        const { secrets, unresolved } = usableSecrets(files);
        const restore = async (database: ArchiveDatabase): Promise<RestoreReport> => {
          const { end, onBegin, onRecords } = recordProgress();
          onBegin(records);
          const options = { isDropped: drop, onRecords };
          const restored = await restoreBackup(database, readBackupFile(file), options).finally(
            end,
          );
          await placeSecrets(env, secrets, database.isEmbedded);
          const details = { format: 'file', count: restored.records };
          await recordAct(database.app, 'data.restored', details);
          return restored;
        };
        const report = await withMissingKeys(env, secrets, () => withArchive(restore, env));
        const leftToOperator = [...unresolved, ...report.unresolved];
        const result = { file: path, createdAt, ...report, unresolved: leftToOperator };
        printResult(command, result, [
          `Restored: ${report.records} records of ${createdAt.toISOString()}`,
          ...skippedLines(report),
          ...unresolvedLines(leftToOperator),
        ]);
      });
    });
}

const RESTORE_EXAMPLES = `
Examples:
  $ pressroom restore pressroom.backup
  $ age --decrypt pressroom.backup.age | pressroom restore -
  $ pressroom restore --drop pressroom.backup`;
