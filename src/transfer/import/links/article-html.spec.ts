import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { headingLines } from '../markdown/heading-lines.js';
import { withLinks } from './article-html.js';
import { ArticleLinks, type KnownArticle } from './article-links.js';

const ARTICLES: readonly KnownArticle[] = [
  {
    source: 'posts/2020/engine.md',
    slug: 'engine',
    title: 'The Engine',
    publishedAt: new Date('2020-01-02'),
    addresses: ['/old/machine/', '/?p=7'],
  },
  { source: '_posts/2021-03-04-loom.md', slug: 'loom', title: 'Loom', publishedAt: null },
  { source: 'notes/bundle/index.md', slug: 'bundle', title: 'A Bundle', publishedAt: null },
  {
    source: 'api.md',
    slug: 'api',
    title: 'Functions',
    publishedAt: null,
    headings: headingLines(
      '## `get_url`\n\n```\n# get-url\n```\n\n## 1. The [A](/b) {#given}\n## C {/*d*/}\n',
    ),
  },
  { source: 'a/sync.md', slug: 'settings', title: 'Sync', publishedAt: null },
  { source: 'b/Settings.md', slug: 'preferences', title: 'Preferences', publishedAt: null },
  { source: 'guide/intro.md', slug: 'intro', title: 'Guide', publishedAt: null },
  { source: 'guide/api/intro.md', slug: 'intro', title: 'API', publishedAt: null },
];
const LINKS = new ArticleLinks(
  ARTICLES.map((article) => [
    article,
    { url: `/new/${article.title === 'API' ? 'intro-2' : article.slug}`, title: article.title },
  ]),
  ['https://old.example/blog/', null],
);

const linked = (html: string, givesIds = false) =>
  withLinks(html, { source: 'posts/2020/first.md', links: LINKS, givesIds });

describe('withLinks', () => {
  it.each([
    // Relative files.
    ['engine.md', '/new/engine'],
    ['./engine.mdx#Parts', '/new/engine#h-parts'],
    // The headings of the other article are known.
    ['../../api.md#get-url', '/new/api#h-get_url'],
    ['../../api.md#the-a', '/new/api#h-given'],
    ['../../api.md#given', '/new/api#h-given'],
    ['../../api.md#d', '/new/api#h-d'],
    ['../../api.md#none', '/new/api#h-none'],
    ['../2020/engine/', '/new/engine'],
    ['../../_posts/2021-03-04-loom.md', '/new/loom'],
    ['../../notes/bundle/', '/new/bundle'],
    // Relative to the folder that a generator gives to the article.
    ['../engine/', '/new/engine'],
    // Paths and URLs of the former site.
    ['/2020/01/02/engine.html', '/new/engine'],
    ['/blog/posts/engine/?a=b', '/new/engine'],
    ['/old/machine', '/new/engine'],
    ['https://www.old.example/blog/2020/01/engine/#a-b', '/new/engine#h-a-b'],
    ['https://old.example/?p=7', '/new/engine'],
    ['/2021/03/04/loom/', '/new/loom'],
    ['/docs/guide/intro/', '/new/intro'],
    ['/docs/guide/api/intro/', '/new/intro-2'],
    ['https://old.example/docs/api/intro', '/new/intro-2'],
    ['/docs/intro', '/new/intro'],
    // Names.
    ['article:engine', '/new/engine'],
    ['article:2021-03-04-loom', '/new/loom'],
    ['article:_posts%2F2021-03-04-loom.md#x', '/new/loom#h-x'],
    ['article:The%20Engine', '/new/engine'],
    ['article:%2Fnotes%2Fbundle', '/new/bundle'],
    // The file has this name, although another article has it as its slug.
    ['article:Settings', '/new/preferences'],
  ])('should lead %s to the new address of the article', (href, url) => {
    expect(linked(`<a class="b" href='${href}'>a</a>`)).toEqual({
      html: `<a class="b" href="${url}">a</a>`,
      notes: [],
    });
  });

  it.each([
    'https://other.example/engine/',
    '/tags/engine/',
    '/images/engine',
    '/2019/01/02/engine.html',
    'engine.pdf',
    'mailto:engine@old.example',
    '//other.example/engine',
    '?p=7',
    '/no/such/article',
  ])('should leave %s as it is', (href) => {
    const html = `<p>x<a href=${href}>a</a></p>`;
    expect(linked(html)).toEqual({ html, notes: [] });
  });

  it('should give a link without a text the title of its article', () => {
    expect(linked('<a href="article:engine"></a>').html).toBe(
      '<a href="/new/engine">The Engine</a>',
    );
  });

  it('should keep the text of a link to no article, and report it', () => {
    expect(linked('a <a href="article:Lost">b</a> <a href="article:c"></a>')).toEqual({
      html: 'a b c',
      notes: [
        'text: no imported article for the link to "Lost"',
        'text: no imported article for the link to "c"',
      ],
    });
  });

  /** Each row: a heading, and its id as generators write it. */
  it.each([
    ["What's new?", 'whats-new'],
    ['A & B', 'a--b'],
    ['A & B', 'a-b'],
    ['1. First steps', 'first-steps'],
    ['Über uns', '%C3%BCber-uns'],
    ['Über uns', 'uber-uns'],
    ['Über uns', 'ber-uns'],
    ['Setup Guide', 'Setup-Guide'],
    ['Setup Guide', 'Setup_Guide'],
    ['Setup Guide', 'Setup%20Guide'],
    ['v1.2 is out', 'v12-is-out'],
    ['v1.2 is out', 'v1.2-is-out'],
    ['安装 指南', '安装-指南'],
  ])('should lead a fragment to the heading %j: %s', (heading, fragment) => {
    for (const givesIds of [true, false]) {
      const { html, notes } = linked(`<h2>${heading}</h2><a href="#${fragment}">a</a>`, givesIds);
      const [, id = ''] = /<h2 id="([^"]+)">/.exec(html) ?? [];
      expect([id === '', notes]).toEqual([false, []]);
      expect(html).toContain(`<a href="#${encodeURIComponent(id)}">`);
    }
  });

  it('should tell equal headings apart, and keep ids that are given', () => {
    const html = '<h2>A</h2><h2>A</h2><h2 id="b">C</h2><a href="#a-1">1</a><a href="#b">2</a>';
    expect(linked(html, true).html).toBe(
      '<h2 id="a">A</h2><h2 id="a-1">A</h2><h2 id="b">C</h2><a href="#a-1">1</a><a href="#b">2</a>',
    );
  });

  it('should report fragments without a heading', () => {
    const html = '<h2>A</h2><a href="#nowhere">b</a><a href="#">c</a>';
    expect(linked(html)).toEqual({
      html,
      notes: ['text: 1 link leads to headings that it does not have'],
    });
  });

  it.each([
    ['<pre class="brush: php; gutter: false">a</pre>', '<pre class="language-php">a</pre>'],
    [
      '<pre data-enlighter-language="js">a</pre>',
      '<pre class="language-js" data-enlighter-language="js">',
    ],
    ['<pre>\n\n<code class="lang-C++">a', '<pre>\n\n<code class="language-c++">a'],
    ['<pre class="language-js brush: php">a', '<pre class="language-js brush: php">a'],
    ['<code lang="none">a', '<code lang="none">a'],
  ])('should write the language of code as the API has it: %s', (html, expected) => {
    expect(linked(html).html.startsWith(expected)).toBe(true);
  });

  it('should take little time for hostile texts', () => {
    const parts = ['<a href=#a>', '<h2>a', '<pre class="', '<h2 id=a>', '<a href="article:x">'];
    const texts = [
      ...parts.map((part) => part.repeat(20_000)),
      `<a href="/a${'/'.repeat(200_000)}b">c</a>`,
    ];
    expect(cpuTime(() => texts.map((text) => linked(text, true)))).toBeLessThan(5_000);
  });
});
