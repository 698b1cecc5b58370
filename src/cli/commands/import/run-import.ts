import { InvalidArgumentError, type Command } from 'commander';
import type { ArticleSource } from '../../../transfer/import/articles/imported-article.js';
import { readAuthorsFile } from '../../../transfer/import/authors/authors-file.js';
import { ImporterService } from '../../../transfer/import/importer.service.js';
import { ExitCode } from '../../command-line/exit-code.js';
import { printResult } from '../../command-line/output.js';
import { Progress } from '../../command-line/progress.js';
import { withApp } from '../../command-line/with-app.js';
import { reportLines } from './report-lines.js';

/** The options of the commands that import articles. */
export interface ImportCommandOptions {
  readonly author?: string;
  readonly authors?: string;
  readonly baseUrl?: string;
  readonly draft?: boolean;
  readonly dryRun?: boolean;
}

/** Adds the options of the commands that import articles. */
export function withImportOptions(command: Command): Command {
  return command
    .option('--author <email>', 'make this author the author of all articles')
    .option('--authors <file>', 'names and addresses of authors, by what articles call them')
    .option('--base-url <url>', 'what relative links and images are relative to', parseBaseUrl)
    .option('--draft', 'import all articles as drafts')
    .option('--dry-run', 'write nothing, and report what a run would do');
}

interface RunOptions {
  readonly author?: string | null;
  readonly authors?: string;
  readonly draft?: boolean;
  readonly dryRun?: boolean;
}

/** Imports the articles of a source, and prints the report. */
export async function runImport(
  command: Command,
  { author = null, authors: file, draft: asDrafts = false, dryRun = false }: RunOptions,
  open: () => Promise<ArticleSource>,
): Promise<void> {
  // The source is opened before the database, so that a wrong path is reported at once.
  const source = await open();
  const authors = file === undefined ? {} : { authors: await readAuthorsFile(file) };
  const report = await withApp(async (app) => {
    const progress = new Progress('articles', source.total);
    try {
      const onArticle = () => progress.advance();
      return await app
        .get(ImporterService)
        .run(source, { dryRun, asDrafts, author, ...authors, onArticle });
    } finally {
      progress.end();
    }
  });
  printResult(command, report, reportLines(report));
  if (report.skipped.length + report.changed.length > 0) {
    process.exitCode = ExitCode.LEFT_TO_OPERATOR;
  }
}

/** @returns the URL with a slash at its end, so that relative URLs resolve below it */
function parseBaseUrl(value: string): string {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) {
    throw new InvalidArgumentError('It must be an http or https URL.');
  }
  const url = new URL(value);
  url.pathname = url.pathname.replace(/\/?$/, '/');
  return url.href;
}
