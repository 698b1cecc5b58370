import { Option, type Command } from 'commander';
import { PictureMove } from '../../blog/media/storage/picture-move.service.js';
import { PictureStoreError } from '../../blog/media/storage/picture-store.errors.js';
import { PictureStores } from '../../blog/media/storage/picture-stores.service.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { addExamples } from '../command-line/examples.js';
import { ExitCode } from '../command-line/exit-code.js';
import { printResult } from '../command-line/output.js';
import { withApp } from '../command-line/with-app.js';

type StoreName = 'gridfs' | 's3';

const store = (flag: string, description: string): Option =>
  new Option(`${flag} <store>`, description).choices(['gridfs', 's3']).makeOptionMandatory();

/** Adds `pressroom media move`, for a server whose MEDIA_S3_URL was set or removed. */
export function addMediaCommand(program: Command): void {
  const media = program.command('media').description('move pictures to another store');
  const move = media
    .command('move')
    .description('move the bytes of all pictures; after an end it goes on where it was')
    .addOption(store('--from', 'the database (gridfs), or the bucket of MEDIA_S3_URL (s3)'))
    .addOption(store('--to', 'the other one'))
    .option('--keep', 'copy only, for servers that still use the first store')
    .action(
      async (
        { from, to, keep = false }: { from: StoreName; to: StoreName; keep?: boolean },
        command: Command,
      ) => {
        if (from === to) throw new OperatorError('--from and --to are the same: name both stores.');
        const report = { copied: 0, known: 0, removed: 0, missing: 0 };
        await withApp(async (app) => {
          const { gridfs, s3 } = app.get(PictureStores);
          if (!s3) throw new OperatorError('MEDIA_S3_URL is not set: set it (docs/media.md).');
          const stores = { gridfs, s3 };
          try {
            await app.get(PictureMove).run(stores[from], stores[to], keep, report);
          } catch (error) {
            if (!(error instanceof PictureStoreError)) throw error;
            throw new OperatorError(
              `After ${report.copied} pictures the store of MEDIA_S3_URL has failed (${error.codes}): ` +
                `run this again to go on. ${error.advice}`,
              { cause: error },
            );
          }
        });
        const { copied, known, removed, missing } = report;
        printResult(command, report, [
          `${copied} copied, ${known} were there already, ${removed} removed from ${from}.`,
          ...(missing === 0 ? [] : [`${missing} are in neither store: restore a backup of them.`]),
        ]);
        process.exitCode = missing === 0 ? ExitCode.DONE : ExitCode.LEFT_TO_OPERATOR;
      },
    );
  addExamples(move, 'media move --from gridfs --to s3 --keep', 'media move --from gridfs --to s3');
}
