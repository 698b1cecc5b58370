import type { ArticleSource, SourceItem, SourceOptions } from '../articles/imported-article.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { contained } from '../articles/contained.js';
import { ghostPictures } from './ghost-file.js';
import { ghostArticle, sourceOf } from './ghost-article.js';
import { isPage, readGhost, type GhostRecord } from './ghost-records.js';
import { readGhostTables } from './ghost-tables.js';

/**
 * Opens an export of Ghost. The file is read twice, because it may hold an article before its tags and authors.
 *
 * @throws OperatorError when it cannot be read, or holds no posts and no pages
 */
export async function openGhost(
  file: string,
  { baseUrl, pages }: SourceOptions,
): Promise<ArticleSource> {
  const tables = await readGhostTables(file);
  const total = tables.postCount + (pages ? tables.pageCount : 0);
  if (tables.postCount + tables.pageCount === 0)
    throw new OperatorError(`${file} holds no posts of Ghost.`);
  return {
    total,
    sites: [baseUrl],
    pictures: () => ghostPictures(file, [baseUrl]),
    async *items(): AsyncGenerator<SourceItem> {
      for await (const { value } of readGhost(file, ['posts.*'])) {
        const post = value as GhostRecord;
        if (isPage(post) && !pages) yield { counted: 'pages left out' };
        else yield contained(sourceOf(post), () => ghostArticle(post, tables, baseUrl));
      }
    },
  };
}
