import type { Command } from 'commander';
import { AccountJobRunner } from '../../../blog/jobs/account-job-runner.service.js';
import type { ArchiveDatabase } from '../../../transfer/archive-database.js';
import { EXPORTED } from '../../../transfer/collection-rules.js';
import { exportChunks } from '../../../transfer/export/export-records.js';
import { exportMarkdown } from '../../../transfer/export/markdown/export-markdown.js';
import { STDOUT, writeChunks, writeOutput } from '../../../transfer/output-file.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { printResult } from '../../command-line/output.js';
import { recordAct } from '../../command-line/with-app.js';
import {
  recordProgress,
  STOP_OPTION,
  unresolvedLines,
  withArchive,
  type StopOption,
} from './with-archive.js';

interface ExportOptions extends StopOption {
  readonly markdown?: string;
}

/** Adds `pressroom export [FILE] [--markdown DIR --stop]`. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('write all records but secrets as NDJSON, or all articles as Markdown')
    .argument('[file]', `the new file; ${STDOUT}, or nothing, is the standard output`)
    .option(
      '--markdown <dir>',
      'write a file for each article, and their pictures, to a new or empty folder instead',
    )
    .option(...STOP_OPTION)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, options: ExportOptions, command: Command) => {
      const { markdown, stop = false } = options;
      if (markdown === undefined) return exportAll(file ?? STDOUT, stop, command);
      if (file !== undefined) throw new OperatorError('Name a file or --markdown, and not both.');
      return exportArticles(markdown, stop, command);
    });
}

const EXAMPLES = `
Examples:
  $ pressroom export pressroom.ndjson
  $ pressroom export | gzip > pressroom.ndjson.gz
  $ pressroom export --markdown articles`;

/** Does what is left of deletions first: no file may have what a deleted account never published. */
async function withSettledArchive<Result>(
  command: (database: ArchiveDatabase) => Promise<Result>,
): Promise<Result> {
  return withArchive(async (database) => {
    const runner = database.app.get(AccountJobRunner, { strict: false });
    await runner.run(new AbortController().signal);
    return command(database);
  });
}

async function exportAll(file: string, isStopped: boolean, command: Command): Promise<void> {
  let records = 0;
  await withSettledArchive(async (database) => {
    await recordAct(database.app, 'data.exported', { format: 'records' });
    const { end, onBegin, onRecords } = recordProgress();
    onBegin(await database.estimate(EXPORTED));
    await database
      .read({ isStopped }, (session) =>
        writeOutput(file, (output) => {
          const chunks = exportChunks(database, session, (count) => {
            records += count;
            onRecords(count);
          });
          return writeChunks(chunks, output);
        }),
      )
      .finally(end);
  });
  if (file === STDOUT) return;
  printResult(command, { file, records }, [`Exported: ${records} records to ${file}`]);
}

async function exportArticles(dir: string, isStopped: boolean, command: Command): Promise<void> {
  const { missingPictures, ...counts } = await withSettledArchive(async (database) => {
    await recordAct(database.app, 'data.exported', { format: 'markdown' });
    const { end, onBegin, onRecords } = recordProgress();
    onBegin(await database.estimate(['blogs']));
    const { pictures, ...articles } = await database
      .read({ isStopped }, (session) => exportMarkdown(database, dir, session, onRecords))
      .finally(end);
    // A picture never changes, so the snapshot, which ends after minutes, need not wait for all of them.
    return { ...articles, ...(await pictures.write(database, dir)) };
  });
  printResult(command, { dir, ...counts, missingPictures }, [
    `Exported: ${counts.published} live articles to ${dir}, and ${counts.drafts} drafts to ${dir}/drafts`,
    ...(counts.pictures > 0 ? [`  with ${counts.pictures} pictures in ${dir}/media`] : []),
    ...unresolvedLines(
      missingPictures.map((file) => `the library does not have ${dir}/media/${file}`),
    ),
  ]);
}
