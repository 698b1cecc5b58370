import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../../../../platform/config/operator.error.js';
import type { ReportLine } from '../../import-report.js';
import { isArticleFile } from '../file-name.js';

/** Names of folders that hold no articles: dependencies, templates and built sites. */
const IGNORED_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  'vendor',
  '_site',
  '_includes',
  '_layouts',
]);

/** What a folder holds. Paths are those within the folder, with slashes, in the order of their names. */
export interface FolderFiles {
  readonly articles: readonly string[];
  /** The other files. */
  readonly others: readonly string[];
  /** What cannot be read. */
  readonly refused: readonly ReportLine[];
}

/**
 * Finds the files of Markdown below a folder. It follows no symbolic links, which may lead out of the folder or
 * back into it.
 *
 * @throws OperatorError when the folder itself cannot be read, or holds no such files
 */
export async function filesIn(folder: string): Promise<FolderFiles> {
  const articles: string[] = [];
  const others: string[] = [];
  const refused: ReportLine[] = [];
  const read = async (path: string): Promise<void> => {
    for (const entry of await entriesOf(folder, path, refused)) {
      const source = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name.startsWith('.') || IGNORED_FOLDERS.has(entry.name)) continue;
      if (entry.isDirectory()) await read(source);
      else if (entry.isFile()) (isArticleFile(source) ? articles : others).push(source);
      else if (entry.isSymbolicLink()) {
        refused.push({ source, reason: 'it is a symbolic link, which is not followed' });
      } else if (isArticleFile(source)) refused.push({ source, reason: 'it is no regular file' });
    }
  };
  await read('');
  if (articles.length + refused.length === 0) {
    throw new OperatorError(`${folder} holds no Markdown files (.md, .mdx).`);
  }
  return { articles: articles.sort(), others: others.sort(), refused };
}

async function entriesOf(folder: string, path: string, refused: ReportLine[]): Promise<Dirent[]> {
  try {
    return await readdir(join(folder, path), { withFileTypes: true });
  } catch (error) {
    const { message } = error as Error;
    if (path === '') throw new OperatorError(`${folder} cannot be read: ${message}`);
    refused.push({ source: `${path}/`, reason: `it cannot be read: ${message}` });
    return [];
  }
}
