import { basename, join, resolve } from 'node:path';
import { findAuthors } from '../authors/authors-file.js';
import type { ArticleSource, SourceItem } from '../articles/imported-article.js';
import { ConversionThread } from '../thread/conversion-thread.js';
import { FolderPictures } from '../pictures/folder-pictures.js';
import { filesByName, namedFiles, type FilesByName } from './files/embedded-files.js';
import { otherFormatOf, readFileName } from './file-name.js';
import { InheritedFields } from './files/inherited-fields.js';
import { filesIn } from './files/folder-files.js';
import type { MarkdownOptions } from './markdown-article.js';
import { readTextFile } from './files/text-file.js';

/**
 * Opens a folder of Markdown files. A file that cannot be read or converted is skipped, whatever it holds.
 *
 * @param baseUrl URL that relative links and images are relative to; null keeps them as they are
 * @throws OperatorError when the folder cannot be read
 */
export async function openMarkdown(folder: string, baseUrl: string | null): Promise<ArticleSource> {
  const { articles, others, refused } = await filesIn(folder);
  const files = filesByName(others);
  const otherFormats = others.map(otherFormatOf).filter((format) => format !== null);
  const options = { baseUrl, now: new Date(), root: basename(resolve(folder)) };
  return {
    total: articles.length + refused.length + otherFormats.length,
    authors: await findAuthors(folder),
    sites: [baseUrl],
    pictures: () => Promise.resolve(new FolderPictures(folder, [baseUrl])),
    async *items({ headsOnly = false, language = null } = {}) {
      const thread = new ConversionThread();
      const inherited = new InheritedFields(folder, thread);
      try {
        for (const skipped of refused) yield { skipped };
        for (const format of otherFormats) yield { counted: `files in ${format} left out` };
        for (const path of articles)
          yield await readItem(thread, {
            folder,
            path,
            files,
            options: {
              ...options,
              headsOnly,
              language,
              ...(headsOnly ? {} : { inherited: await inherited.of(path) }),
            },
          });
        for (const noted of inherited.problems) yield { noted };
      } finally {
        await thread.end();
      }
    },
  };
}

/** Matches the first line of a file with front matter. */
const FRONT_MATTER = /^\uFEFF?(?:---|\+\+\+)[a-z]*[ \t]*\r?\n/;

interface FileOfFolder {
  readonly folder: string;
  readonly path: string;
  readonly files: FilesByName;
  readonly options: MarkdownOptions;
}

async function readItem(
  thread: ConversionThread,
  { folder, path, files, options }: FileOfFolder,
): Promise<SourceItem> {
  const { slug, isAboutFolder } = readFileName(path);
  const text = slug === null ? '' : await readTextFile(join(folder, path));
  if (slug === null || (isAboutFolder && typeof text === 'string' && !FRONT_MATTER.test(text))) {
    return { counted: 'files about a folder or a section left out' };
  }
  const read =
    typeof text === 'string'
      ? await thread.run('readMarkdown', {
          path,
          text,
          options: { ...options, files: namedFiles(text, path, files) },
        })
      : text;
  return 'reason' in read ? { skipped: { source: path, ...read } } : { article: read };
}
