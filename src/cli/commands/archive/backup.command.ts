import type { Command } from 'commander';
import {
  checkBackupFile,
  readBackupFile,
  writeBackup,
} from '../../../transfer/backup/backup-file.js';
import {
  placeMissingKeys,
  placeSecrets,
  readSecrets,
} from '../../../transfer/backup/data-folder-secrets.js';
import { restoreBackup } from '../../../transfer/backup/restore-backup.js';
import { STDOUT } from '../../../transfer/output-file.js';
import { readEnv } from '../../../platform/config/env.js';
import { printResult } from '../../command-line/output.js';
import {
  DROP_OPTION,
  recordProgress,
  STOP_OPTION,
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
    .argument('<file>', 'a file that backup has written')
    .option(...DROP_OPTION)
    .addHelpText('after', RESTORE_EXAMPLES)
    .action(async (file: string, { drop = false }: DropOption, command: Command) => {
      const env = readEnv();
      // The whole file is checked before anything is written.
      const { files, createdAt, records } = await checkBackupFile(file);
      await placeMissingKeys(env, files);
      await withArchive(async (database) => {
        const { end, onBegin, onRecords } = recordProgress();
        onBegin(records);
        const options = { isDropped: drop, onRecords };
        await restoreBackup(database, readBackupFile(file), options).finally(end);
        await placeSecrets(env, files, database.isEmbedded);
      }, env);
      printResult(command, { file, createdAt, records }, [
        `Restored: ${records} records of ${createdAt.toISOString()}`,
      ]);
    });
}

const RESTORE_EXAMPLES = `
Examples:
  $ pressroom restore pressroom.backup
  $ pressroom restore --drop pressroom.backup`;
