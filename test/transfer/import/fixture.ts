import type { ArticleSource } from '../../../src/transfer/import/articles/imported-article.js';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import {
  ImporterService,
  type ImportOptions,
} from '../../../src/transfer/import/importer.service.js';
import type { TestApp } from '../../support/start-app.js';

/** Imports with the services of a server, as the command does. */
export async function importInto(
  { app }: TestApp,
  source: ArticleSource,
  {
    author = null,
    dryRun = false,
    asDrafts = false,
    ...options
  }: Partial<Omit<ImportOptions, 'onArticle'>> = {},
): Promise<ImportReport> {
  return app
    .get(ImporterService)
    .run(source, { ...options, author, dryRun, asDrafts, onArticle: () => undefined });
}

/** An export of Ghost whose articles come before the tables that they refer to, as in some real exports. */
export function ghostExport(posts: readonly object[]): string {
  const data = {
    posts,
    posts_authors: [
      { post_id: 'p1', author_id: 'u2', sort_order: 1 },
      { post_id: 'p1', author_id: 'u1', sort_order: 0 },
      ...['p2', 'p3', 'p4', 'p5', 'p6', 'p7'].map((post_id) => ({ post_id, author_id: 'u1' })),
    ],
    posts_meta: [{ post_id: 'p2', meta_description: 'Described for search engines.' }],
    posts_tags: [
      { post_id: 'p1', tag_id: 't2', sort_order: 1 },
      { post_id: 'p1', tag_id: 't1', sort_order: 0 },
      { post_id: 'p1', tag_id: 't3', sort_order: 2 },
    ],
    tags: [
      { id: 't1', name: 'Looms' },
      { id: 't2', name: 'Engines' },
      { id: 't3', name: '#wide', visibility: 'internal' },
    ],
    users: [
      { id: 'u1', name: 'Ada', email: 'Ada@Example.org' },
      { id: 'u2', name: 'Bob', email: 'bob@example.org' },
    ],
  };
  return JSON.stringify({ db: [{ meta: { version: '5.80.0' }, data }] });
}

/** An export of WordPress. */
export function wxr(items: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>
<rss version="2.0"><channel><title>A site</title>
<wp:base_blog_url>https://old.example/blog</wp:base_blog_url>
<wp:author><wp:author_login><![CDATA[ada]]></wp:author_login><wp:author_email>ada@example.org</wp:author_email>
<wp:author_display_name>Ada</wp:author_display_name></wp:author>
${items.join('\n')}
</channel></rss>`;
}

/** @param more further elements */
export function wxrItem(id: number, content: string, more: string): string {
  return `<item><title>Item &amp; ${id}</title><dc:creator>ada</dc:creator><wp:post_id>${id}</wp:post_id>
<content:encoded><![CDATA[${content}]]></content:encoded>${more}</item>`;
}
