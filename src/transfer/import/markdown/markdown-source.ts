import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { findAuthors } from '../authors/authors-file.js';
import type { ArticleSource, SourceItem } from '../articles/imported-article.js';
import { isMarkdown, readFileName } from './file-name.js';
import { FrontMatterError, readFrontMatter } from './front-matter.js';
import { markdownArticle } from './markdown-article.js';

/** Names of folders that hold no articles: dependencies, templates and built sites. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  'vendor',
  '_site',
  '_includes',
  '_layouts',
]);

/**
 * Opens a folder of Markdown files.
 *
 * @param baseUrl URL that relative links and images are relative to; null keeps them as they are
 * @throws OperatorError when the folder cannot be read
 */
export async function openMarkdown(folder: string, baseUrl: string | null): Promise<ArticleSource> {
  const paths = await markdownPathsIn(folder);
  const options = { baseUrl, now: new Date(), root: basename(resolve(folder)) };
  return {
    total: paths.length,
    authors: await findAuthors(folder),
    async *items() {
      for (const path of paths) yield await readItem(folder, path, options);
    },
  };
}

/** @returns the paths within the folder, with slashes, in the order of their names */
async function markdownPathsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const read = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const entryPath = join(path, entry.name);
      if (entry.name.startsWith('.') || IGNORED_FOLDERS.has(entry.name)) continue;
      if (entry.isDirectory()) await read(entryPath);
      else if (entry.isFile() && isMarkdown(entry.name)) {
        found.push(relative(folder, entryPath).split(sep).join('/'));
      }
    }
  };
  try {
    await read(folder);
  } catch (error) {
    throw new OperatorError(`${folder} cannot be read: ${(error as Error).message}`);
  }
  if (found.length === 0) throw new OperatorError(`${folder} holds no Markdown files (.md, .mdx).`);
  return found.sort();
}

interface ReadOptions {
  /** URL of the site; null if it is not given. */
  readonly baseUrl: string | null;
  readonly now: Date;
  /** Name of the folder of the import, which may be a folder of drafts. */
  readonly root: string;
}

async function readItem(
  folder: string,
  path: string,
  { root, ...options }: ReadOptions,
): Promise<SourceItem> {
  const pathData = readFileName(path, root);
  if (pathData.slug === null) return { counted: 'files about a folder or a section left out' };
  try {
    const file = readFrontMatter(await readFile(join(folder, path), 'utf8'));
    return { article: markdownArticle(path, file, pathData, options) };
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error;
    return { skipped: { source: path, reason: error.message } };
  }
}
