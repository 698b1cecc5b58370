import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { ArticleSource } from '../../../transfer/import/articles/imported-article.js';
import { readAuthorsFile } from '../../../transfer/import/authors/authors-file.js';
import type { Redirect } from '../../../transfer/import/import-report.js';
import { ImporterService } from '../../../transfer/import/importer.service.js';
import { redirectMap } from '../../../transfer/import/links/redirect-map.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { ExitCode } from '../../command-line/exit-code.js';
import { printResult } from '../../command-line/output.js';
import { Progress } from '../../command-line/progress.js';
import { recordAct, withApp } from '../../command-line/with-app.js';
import { reportLines } from './report-lines.js';

/** The options of the commands that import articles. */
export interface ImportCommandOptions {
  readonly author?: string;
  readonly authors?: string;
  readonly baseUrl?: string;
  readonly draft?: boolean;
  readonly dryRun?: boolean;
  readonly redirects?: string;
  readonly media?: boolean;
  readonly fetch?: boolean;
}

/** Adds the options of the commands that import articles. */
export function withImportOptions(command: Command): Command {
  return command
    .option('--author <email>', 'make this author the author of all articles')
    .option('--authors <file>', 'names and addresses of authors, by what articles call them')
    .option('--base-url <url>', 'what relative links and images are relative to', parseBaseUrl)
    .option('--media', 'take pictures from the files of the source into the media library')
    .option('--fetch', 'take pictures from the web as well: by https, from public addresses')
    .option('--draft', 'import all articles as drafts')
    .option('--redirects <file>', 'write the former addresses that need a redirect into a file')
    .option('--dry-run', 'write nothing, and report what a run would do');
}

/** Imports the articles of a source, and prints the report. */
export async function runImport(
  command: Command,
  {
    author,
    authors: file,
    draft: asDrafts = false,
    dryRun = false,
    redirects,
    media = false,
    fetch = false,
  }: ImportCommandOptions,
  open: () => Promise<ArticleSource>,
): Promise<void> {
  // The source is opened before the database, so that a wrong path is reported at once.
  const source = await open();
  const authors = file === undefined ? {} : { authors: await readAuthorsFile(file) };
  const report = await withApp(async (app) => {
    const progress = new Progress('articles', source.total);
    try {
      const onArticle = () => progress.advance();
      const pictures = { media: media || fetch, fetch };
      const options = { dryRun, asDrafts, author: author ?? null, ...authors, pictures, onArticle };
      const done = await app.get(ImporterService).run(source, options);
      const count = done.published + done.drafts;
      if (!dryRun) await recordAct(app, 'data.imported', { format: 'articles', count });
      return done;
    } finally {
      progress.end();
    }
  });
  if (redirects !== undefined && !dryRun) await writeRedirects(redirects, report.redirects);
  printResult(command, report, reportLines(report));
  if (report.skipped.length + report.changed.length > 0) {
    process.exitCode = ExitCode.LEFT_TO_OPERATOR;
  }
}

async function writeRedirects(file: string, redirects: readonly Redirect[]): Promise<void> {
  try {
    await writeFile(file, redirectMap(redirects));
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`);
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
