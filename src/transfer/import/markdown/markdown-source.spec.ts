import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { folderWith } from '../../../../test/support/process.js';
import { PLAIN_DRAFT, type SourceItem } from '../articles/imported-article.js';
import { openMarkdown } from './markdown-source.js';

/** Reads a folder with these files. @param folder the folder of the import within it */
async function itemsOf(
  files: Readonly<Record<string, string>>,
  folder = '.',
): Promise<SourceItem[]> {
  const root = await folderWith(files);
  const items: SourceItem[] = [];
  for await (const item of (await openMarkdown(join(root, folder), null)).items()) items.push(item);
  return items;
}

const ARTICLE = '---\ntitle: A\ndate: 2024-01-01\n---\nText';
const OWN = (field: string): string => ARTICLE.replace('date:', `${field}\ndate:`);
const GIVEN = 'given by its folder or the site';

describe('openMarkdown', () => {
  it.each<[string, Readonly<Record<string, string>>, string, string | null]>([
    ['Hugo', { '_index.md': '---\ncascade: {draft: true}\n---\n' }, '.', PLAIN_DRAFT],
    [
      'Hugo, a list with targets',
      {
        'posts/_index.md':
          '+++\n[[cascade]]\n[cascade._target]\nkind = "page"\n[cascade.build]\nlist = "never"\n+++\n',
      },
      '.',
      `"build.list: never" ${GIVEN}`,
    ],
    [
      'Hugo, fields of two folders',
      {
        '_index.md': '---\ncascade: {params: {private: true}}\n---\n',
        'posts/_index.md': '---\ncascade: {params: {color: red}}\n---\n',
      },
      'posts',
      `"params.private: true" ${GIVEN}`,
    ],
    ['Zola', { 'posts/_index.md': '+++\ndraft = true\n+++\n' }, '.', PLAIN_DRAFT],
    [
      'Jekyll',
      { '_config.yml': 'defaults:\n- {scope: {path: ""}, values: {sitemap: false}}' },
      'posts',
      `"sitemap: false" ${GIVEN}`,
    ],
    [
      'Jekyll, a folder',
      { '_config.yml': '---\ndefaults:\n- {scope: {path: "posts/*"}, values: {published: false}}' },
      '.',
      PLAIN_DRAFT,
    ],
    [
      'Jekyll, elsewhere',
      {
        '_config.yml':
          'defaults:\n- {scope: {path: other}, values: {hidden: true}}\n- {scope: {type: posts}, values: {hidden: true}}',
      },
      '.',
      null,
    ],
    [
      'Eleventy',
      { 'posts/posts.json': '{"eleventyExcludeFromCollections": true}' },
      'posts',
      `"eleventyExcludeFromCollections: true" ${GIVEN}`,
    ],
    [
      'Eleventy, data of the article',
      { 'posts/a.11tydata.json': '{"unlisted": true}' },
      '.',
      `"unlisted: true" ${GIVEN}`,
    ],
    ['nothing of it', { 'posts/_index.md': '---\ntitle: Posts\n---\nText' }, '.', null],
  ])(
    'should know which articles their folder or site hides: %s',
    async (_, files, folder, hidden) => {
      const items = await itemsOf({ ...files, 'posts/a.md': ARTICLE }, folder);
      expect(items.flatMap((item) => ('article' in item ? [item.article.hidden] : []))).toEqual([
        hidden,
      ]);
    },
  );

  it('should prefer the fields of the article itself', async () => {
    const given = '---\ncascade: {draft: true, params: {private: true}, author: Ada}\n---\n';
    const own = OWN('Draft: false\nparams: {private: false}\nauthor: Bob');
    const items = await itemsOf({ '_index.md': given, 'a.md': own, 'b.md': OWN('draft: false') });
    expect(items).toMatchObject([
      { counted: expect.stringContaining('left out') },
      { article: { hidden: null, authors: [{ name: 'Bob' }] } },
      { article: { hidden: `"params.private: true" ${GIVEN}`, authors: [{ name: 'Ada' }] } },
    ]);
  });

  it('should report what it cannot read of a folder, and go on', async () => {
    const items = await itemsOf({ '_config.yml': 'defaults: [', 'a.md': ARTICLE });
    expect(items).toMatchObject([
      { article: { hidden: null } },
      { noted: { source: '_config.yml', reason: expect.stringContaining('is not known') } },
    ]);
  });

  it('should tell an article from a file about its folder by the front matter', async () => {
    const items = await itemsOf({
      'README.md': 'About',
      'security.md': ARTICLE,
      '_index.md': ARTICLE,
    });
    const counted = { counted: 'files about a folder or a section left out' };
    expect(items).toMatchObject([counted, counted, { article: { slug: 'security' } }]);
  });

  it('should count the articles in other formats', async () => {
    const items = await itemsOf({ 'a.md': ARTICLE, 'b.rst': 'B', 'c.html': '<p>C', 'd.png': '' });
    expect(items).toMatchObject([
      { counted: 'files in reStructuredText left out' },
      { counted: 'files in HTML left out' },
      { article: {} },
    ]);
  });
});
