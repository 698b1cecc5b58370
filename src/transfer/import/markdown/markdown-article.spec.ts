import { describe, expect, it } from '@jest/globals';
import { PLAIN_DRAFT, type ImportedArticle } from '../articles/imported-article.js';
import { readFileName } from './file-name.js';
import { readFrontMatter } from './front-matter.js';
import { markdownArticle } from './markdown-article.js';

const articleOf = (path: string, text: string, baseUrl: string | null = null): ImportedArticle =>
  markdownArticle(path, readFrontMatter(text), readFileName(path), {
    baseUrl,
    now: new Date('2026-01-01'),
  });

/** Each row: a label (the generator of the site, or the case), the path, the file, and the expected article. */
const FILES: readonly (readonly [string, string, string, Partial<ImportedArticle>])[] = [
  [
    'Astro',
    'first-post.md',
    "---\ntitle: 'First'\ndescription: 'D'\npubDate: 'Jul 08 2022'\nupdatedDate: 'Jul 09 2022'\nheroImage: 'https://a.example/a.jpg'\n---\nText",
    {
      title: 'First',
      description: 'D',
      slug: 'first-post',
      hidden: null,
      publishedAt: new Date('2022-07-08'),
      updatedAt: new Date('2022-07-09'),
      imgUrl: 'https://a.example/a.jpg',
    },
  ],
  [
    'Hugo',
    'posts/bundle/index.md',
    '+++\ntitle = "First"\ndate = 2024-01-31T10:00:00+02:00\nlastmod = 2024-02-01\ndraft = true\ntags = ["a"]\ncategories = ["b"]\nimages = ["https://a.example/a.jpg"]\n[[authors]]\nname = "Ada"\nemail = "ada@example.org"\n+++\nText',
    {
      slug: 'bundle',
      hidden: PLAIN_DRAFT,
      tags: ['a', 'b'],
      publishedAt: new Date('2024-01-31T08:00:00Z'),
      updatedAt: new Date('2024-02-01'),
      authors: [{ key: null, name: 'Ada', email: 'ada@example.org' }],
    },
  ],
  [
    'Jekyll',
    '_posts/2024-01-31-first-post.markdown',
    '---\nlayout: post\ntitle: First\ncategories: a, b\nauthor: Ada <ada@example.org>\nimage:\n  path: /a.jpg\npermalink: /:year/:title/\n---\nText',
    {
      slug: 'first-post',
      publishedAt: new Date('2024-01-31'),
      tags: ['a', 'b'],
      imgUrl: '/a.jpg',
      authors: [{ key: null, name: 'Ada', email: 'ada@example.org' }],
    },
  ],
  ['Jekyll: a draft', '_drafts/idea.md', 'Text', { slug: 'idea', hidden: PLAIN_DRAFT }],
  [
    'Jekyll: not published',
    'a.md',
    '---\npublished: false\ndate: 2024-01-31\n---\nText',
    { hidden: PLAIN_DRAFT, createdAt: new Date('2024-01-31') },
  ],
  [
    'Eleventy',
    'blog/first.md',
    '---json\n{"title": "First", "date": "2024-01-31", "permalink": "/blog/the-first/index.html"}\n---\nText',
    { slug: 'the-first', publishedAt: new Date('2024-01-31') },
  ],
  ['Zola', 'a.md', '+++\ntitle = "First"\n[taxonomies]\ntags = ["a"]\n+++\nText', { tags: ['a'] }],
  [
    'Hugo: expired',
    'a.md',
    '---\ndate: 2020-01-01\nexpiryDate: 2021-01-01\n---\nText',
    { hidden: 'expired at 2021-01-01T00:00:00.000Z' },
  ],
  [
    'no front matter',
    'notes/a-note.md',
    '# The *title*\n\nText',
    { title: 'The title', html: '<p>Text</p>\n' },
  ],
  ['no title', 'a-note.md', 'Text', { title: 'A note' }],
];

describe('markdownArticle', () => {
  it.each(FILES)('should read a file (%s)', (_, path, text, expected) => {
    expect(articleOf(path, text)).toMatchObject(expected);
  });

  it('should make the folder of the file the base of relative URLs', () => {
    const { base } = articleOf('posts/a b/index.md', 'Text', 'https://example.org/blog/');
    expect(base).toBe('https://example.org/blog/posts/a%20b/');
  });

  it.each([
    ['author: Ada', { key: 'Ada', name: 'Ada', email: null }],
    ['authors: [ada]', { key: 'ada', name: 'ada', email: null }],
    ['author: {name: Ada, title: Countess}', { key: null, name: 'Ada', email: null }],
    [
      'authors: [{key: ada, url: "mailto:a@b.example"}]',
      { key: 'ada', name: null, email: 'a@b.example' },
    ],
    ['params: {author: {name: Ada}}', { key: null, name: 'Ada', email: null }],
    ['author: {first_name: Ada, last_name: King}', { key: null, name: 'Ada King', email: null }],
    ['author: a@b.example', { key: null, name: null, email: 'a@b.example' }],
    ['author: ""', undefined],
  ])('should read the author of %s', (fields, author) => {
    expect(articleOf('a.md', `---\n${fields}\n---\nText`).authors[0]).toEqual(author);
  });

  it.each([
    ['2021-07-29-a.md', '', '2021-07-29'],
    ['2021/07/29/a.md', '', '2021-07-29'],
    ['blog/2021/07-29-a.md', '', '2021-07-29'],
    ['20210729-a.md', '', '2021-07-29'],
    ['202107291030 a.md', '', '2021-07-29'],
    ['2021-07-29.md', '', '2021-07-29'],
    ['posts/2021-07-29-a/index.md', '', '2021-07-29'],
    ['2021/07/a.md', '', '2021-07-01'],
    ['a.md', 'path: /2021/07/29/a', '2021-07-29'],
    ['a.md', 'permalink: /blog/2021/07/29/a.html', '2021-07-29'],
    ['a.md', 'slug: 2021/07/29/a', '2021-07-29'],
    ['a.md', 'redirect_from: [/2021/07/29/a]', '2021-07-29'],
    ['2020-01-01-a.md', 'created: 2021-07-29', '2021-07-29'],
    ['2020-01-01-a.md', 'date: 2021-07-29', '2021-07-29'],
    ['2021-07-29-a.md', 'published: true', '2021-07-29'],
    ['2021-07-29-a.md', 'date: soon', '2021-07-29'],
    ['a.md', 'pubDatetime: 2021-07-29T00:00:00Z', '2021-07-29'],
    ['a.md', 'lastmod: 2021-07-29', '2021-07-29'],
    ['2021-13-29-a.md', '', undefined],
    ['2021/a.md', '', undefined],
    ['a-10-20-30.md', 'permalink: /:year/:month/', undefined],
    ['top-100-of-12345678.md', '', undefined],
  ])('should read the date of %s (%s)', (path, fields, date) => {
    const { publishedAt } = articleOf(path, `---\n${fields}\n---\nText`);
    expect(publishedAt?.toISOString().slice(0, 10)).toBe(date);
  });

  it('should note a date that cannot be read', () => {
    const { notes } = articleOf('a.md', '---\ndate: 07/08/2021\n---\nText');
    expect(notes).toEqual(['its date "07/08/2021" cannot be read']);
  });

  it.each([
    ['2021/07-29-a-b.md', 'a-b'],
    ['07-29-a.md', '07-29-a'],
    ['20210729-a.md', '20210729-a'],
  ])('should read the slug of %s', (path, slug) => {
    expect(articleOf(path, 'Text').slug).toBe(slug);
  });

  it.each(['posts/_index.md', 'index.md'])('should find no article in %s', (path) => {
    expect(readFileName(path).slug).toBeNull();
  });
});
