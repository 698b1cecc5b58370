import type { ArticleSource, SourceItem } from '../articles/imported-article.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { contained } from '../articles/contained.js';
import { ghostArticle, sourceOf } from './ghost-article.js';
import { isPage, readGhost, type GhostRecord } from './ghost-records.js';
import { readGhostTables } from './ghost-tables.js';

export interface GhostOptions {
  /** URL of the site; null if it is not given. */
  readonly baseUrl: string | null;
  /** Whether pages become articles. */
  readonly pages: boolean;
}

/**
 * Opens an export of Ghost. The file is read twice, because it may hold an article before its tags and authors.
 *
 * @throws OperatorError when it cannot be read, or holds no posts and no pages
 */
export async function openGhost(
  file: string,
  { baseUrl, pages }: GhostOptions,
): Promise<ArticleSource> {
  const tables = await readGhostTables(file);
  const total = tables.postCount + (pages ? tables.pageCount : 0);
  if (tables.postCount + tables.pageCount === 0)
    throw new OperatorError(`${file} holds no posts of Ghost.`);
  return {
    total,
    sites: [baseUrl],
    async *items(): AsyncGenerator<SourceItem> {
      for await (const { value } of readGhost(file, ['posts.*'])) {
        const post = value as GhostRecord;
        if (isPage(post) && !pages) yield { counted: 'pages left out' };
        else yield contained(sourceOf(post), () => ghostArticle(post, tables, baseUrl));
      }
    },
  };
}
