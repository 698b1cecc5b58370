import { describe, expect, it } from '@jest/globals';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import {
  plannedDescription,
  plannedPicture,
  plannedSlug,
  plannedTags,
  plannedTimes,
  plannedTitle,
} from './article-plan.js';
import { reservedSlugs } from '../../../blog/core/text/slugs/reserved-slugs.js';
import type { ImportedArticle } from './imported-article.js';
import { hasRelativeUrls, resolveLinks } from './relative-links.js';

const NOW = new Date('2026-01-01');
const LIVE = { now: NOW, asDraft: false };

const articleOf = (given: Partial<ImportedArticle>): ImportedArticle => ({
  source: 'a',
  identity: 'a',
  title: 'Title',
  description: null,
  html: '',
  slug: null,
  tags: [],
  imgUrl: null,
  hidden: null,
  createdAt: null,
  updatedAt: null,
  publishedAt: null,
  authors: [],
  base: null,
  notes: [],
  ...given,
});

describe('an imported article', () => {
  it.each([
    [{ slug: 'kept' }, 'kept', 0],
    [{ slug: 'Kept' }, 'kept', 0],
    [{ slug: 'a b' }, 'a-b', 1],
    [{ slug: '???', title: 'Why not' }, 'why-not', 1],
    [{ slug: null, title: 'Why not' }, 'why-not', 0],
  ])('should get its slug from %j', (given, value, notes) => {
    const planned = plannedSlug(articleOf(given), () => false);
    expect([planned.value, planned.notes.length]).toEqual([value, notes]);
  });

  it.each(['sitemap.xml', 'Robots.txt'])('should not get %j, which the site needs', (slug) => {
    const { value, notes } = plannedSlug(articleOf({ slug }), reservedSlugs('/{slug}'));
    expect([value, notes.length]).toEqual([`${slug.toLowerCase()}-2`, 1]);
    const below = plannedSlug(articleOf({ slug }), reservedSlugs('/articles/{slug}'));
    expect(below.value).toBe(slug.toLowerCase());
  });

  it('should keep a title and a description of one character', () => {
    const short = articleOf({ title: '春', description: 'x' });
    expect(plannedTitle(short, '').value).toBe('春');
    const description = plannedDescription(short, { text: 'Text', title: '春' });
    expect(description).toEqual({ value: 'x', notes: [], madeOf: null });
  });

  it('should lose the characters that control the output, with a note for each field', () => {
    const article = articleOf({
      title: 'Go\u001b[2J \u202enow',
      description: 'a\u0007b\n\tc',
      tags: ['d\u009be', 'f'],
    });
    const removed = 'characters removed that control the output';
    expect(plannedTitle(article, '')).toEqual({ value: 'Go[2J now', notes: [`title: ${removed}`] });
    expect(plannedDescription(article, { text: '', title: '' })).toMatchObject({
      value: 'ab c',
      notes: [`description: ${removed}`],
    });
    expect(plannedTags(article)).toEqual({ value: ['de', 'f'], notes: [`tag: ${removed}`] });
  });

  it('should have its title and description made of the text if they show nothing', () => {
    const empty = articleOf({ title: '\u200b', description: '\u3164' });
    expect(plannedTitle(empty, 'The text').value).toBe('The text');
    const description = plannedDescription(empty, { text: 'The text', title: 'Title' });
    expect(description).toMatchObject({ value: 'The text', madeOf: 'text' });
  });

  it('should lose tags that are dots or show nothing, and keep one of those that look the same', () => {
    const { value, notes } = plannedTags(
      articleOf({ tags: ['web dev', 'Web  dev', 'w\u200beb dev', '.', '\u3164', '❤', '❤\ufe0f'] }),
    );
    expect(value).toEqual(['web dev', '❤']);
    expect(notes).toEqual(['tag "." left out: no address can name it']);
  });

  it('should have its title and description cut to the maximum length', () => {
    const long = articleOf({ title: 'x'.repeat(501), description: 'y'.repeat(2_001) });
    const title = plannedTitle(long, '');
    expect([title.value.length, title.notes]).toEqual([500, ['title cut to 500 characters']]);
    const description = plannedDescription(long, { text: '', title: 'Title' });
    expect([description.value.length, description.notes]).toEqual([
      2_000,
      ['description cut to 2000 characters'],
    ]);
  });

  it('should get a missing title and description from its text, and a note about the title', () => {
    const text = 'One two three. '.repeat(40);
    const title = plannedTitle(articleOf({ title: ' ' }), text);
    expect([title.value.length <= 60, title.value.endsWith('…'), title.notes.length]).toEqual([
      true,
      true,
      1,
    ]);
    const planned = plannedDescription(articleOf({}), { text, title: 'Title' });
    expect([planned.value.length <= 200, planned.madeOf]).toEqual([true, 'text']);
    const ofTitle = plannedDescription(articleOf({}), { text: '', title: 'Title' });
    expect([ofTitle.value, ofTitle.madeOf]).toEqual(['Title', 'title']);
  });

  it('should keep at most twenty tags, each once, without those that are too long', () => {
    const names = Array.from({ length: 21 }, (_, index) => `tag ${index}`);
    const { value, notes } = plannedTags(
      articleOf({ tags: ['A', 'a', '', 'x'.repeat(51), ...names] }),
    );
    expect([value.length, value[0], notes.length]).toEqual([20, 'A', 2]);
  });

  it.each([
    ['a.png', 'https://example.org/posts/', 'https://example.org/posts/a.png', null],
    ['a.png', null, null, 'picture "a.png" left out: give its site by --base-url URL'],
    ['/a.png', null, null, 'picture "/a.png" left out: give its site by --base-url URL'],
    ['//cdn.example/a b.png', null, 'https://cdn.example/a%20b.png', null],
    ['https://a.example/ä b.png', null, 'https://a.example/%C3%A4%20b.png', null],
    ['data:x', null, null, 'picture "data:x" left out: it is no http or https URL'],
    [
      `https://a.example/${'x'.repeat(500)}`,
      null,
      null,
      expect.stringContaining('its URL is too long or not valid'),
    ],
  ])(
    'should keep the picture %s with the base %s if readers can see it',
    (imgUrl, base, url, note) => {
      expect(plannedPicture(articleOf({ imgUrl, base }))).toEqual({
        value: url,
        notes: note === null ? [] : [note],
      });
    },
  );

  it('should keep its dates', () => {
    const dates = { createdAt: new Date(1), publishedAt: new Date(2), updatedAt: new Date(3) };
    expect(plannedTimes(articleOf(dates), LIVE)).toMatchObject({ value: dates, notes: [] });
  });

  it.each([
    ['in the future', { publishedAt: new Date('2027-01-01') }, null],
    ['before 1970', { publishedAt: new Date('1950-01-01') }, new Date(1)],
    ['missing', {}, null],
    ['that of the last change only', { updatedAt: new Date('2020-01-01') }, null],
    ['that of a private article', { hidden: 'it is private', createdAt: new Date(1) }, null],
  ])('should get valid times and one note if its date is %s', (_, given, publishedAt) => {
    const { value, notes } = plannedTimes(articleOf(given), LIVE);
    expect([value.publishedAt, notes.length]).toEqual([publishedAt, 1]);
    expect(value.updatedAt <= NOW && value.createdAt <= value.updatedAt).toBe(true);
  });

  it('should be a draft with its date if all articles become drafts', () => {
    const publishedAt = new Date('2020-01-01');
    const { value, notes } = plannedTimes(articleOf({ publishedAt }), { now: NOW, asDraft: true });
    expect([value.publishedAt, value.createdAt, notes]).toEqual([null, publishedAt, []]);
  });
});

describe('resolveLinks', () => {
  const BASE = 'https://blog.example/a/';

  it.each([
    ['<a href="b">c</a>', '<a href="https://blog.example/a/b">c</a>'],
    ["<IMG SRC='../b&amp;c' alt=d>", '<IMG src="https://blog.example/b&amp;c" alt=d>'],
    ['<a href=/b/>c</a>', '<a href="https://blog.example/b/">c</a>'],
    [
      '<video src="b" poster=c /><p>d</p>',
      '<video src="https://blog.example/a/b" poster="https://blog.example/a/c" /><p>d</p>',
    ],
    [
      '<img srcset="b 1x, https://x.example/c 2x,\n/d 3x,e,f 4x">',
      '<img srcset="https://blog.example/a/b 1x, https://x.example/c 2x, https://blog.example/d 3x, ' +
        'https://blog.example/a/e,f 4x">',
    ],
    [
      '\r\n<a href="b">é 日 😀</a><a href="c">',
      '\r\n<a href="https://blog.example/a/b">é 日 😀</a><a href="https://blog.example/a/c">',
    ],
    [
      '<iframe src="b" />c <d@x.example>',
      '<iframe src="https://blog.example/a/b" />c <d@x.example>',
    ],
    [
      '<p>src="x"<a href="//other.example/e">4</a></p>',
      '<p>src="x"<a href="https://other.example/e">4</a></p>',
    ],
    ['<pre>\n\n<a href="b">', '<pre>\n\n<a href="https://blog.example/a/b">'],
  ])('should make relative URLs absolute: %j', (html, resolved) => {
    expect(resolveLinks(html, BASE)).toBe(resolved);
  });

  it.each([
    '<a href="#b">c</a> <a href="mailto:a@b.example">d</a> <a href="">e</a>',
    '<a href="https://[">b</a> <p title="src=b">c</p> <!-- <a href="b"> -->',
    'src=b href=c <a<b',
  ])('should change nothing else: %s', (html) => {
    expect(resolveLinks(html, BASE)).toBe(html);
  });
});

describe('hasRelativeUrls', () => {
  it.each([
    ['<img alt="a" src="a.png">', true],
    ["<a href='../b/'>c</a>", true],
    ['<a href=b>c</a>', true],
    ['<a href="/b">c</a><a href="#d"></a><img src="https://a.example/b.png">', false],
    ['<a href="">c</a><a href="mailto:a@b.c">d</a>src="a.png"', false],
  ])('should tell of %s: %s', (html, has) => {
    expect(hasRelativeUrls(html)).toBe(has);
  });

  it('should take little time for many blanks before a URL', () => {
    const html = `<a href=${' '.repeat(200_000)}https://a.example/>b</a>`;
    const read = (): unknown => [hasRelativeUrls(html), resolveLinks(html, 'https://b.example/')];
    expect(read()).toEqual([false, html]);
    expect(cpuTime(read)).toBeLessThan(2_000);
  });
});
