import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBlogFixture, type BlogFixture } from '../../core/fixture.js';
import type { BlogBody } from '../../../support/blog-fields.js';
import { blogIn, unknownId, type State } from '../../../support/factories.js';
import { searcherOf, type Searcher } from './search-helper.js';

describe('GET /blogs/search', () => {
  let fixture: BlogFixture;
  let search: Searcher;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    search = searcherOf(fixture);
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
  });

  /** Its words are in no other blog of a test unless named. */
  const blog = async (overrides: Partial<BlogBody>, state: State = 'live'): Promise<string> =>
    (
      await blogIn(state, fixture.author, fixture.editor, {
        title: '###',
        description: '###',
        draftText: '<p>###</p>',
        tags: [],
        ...overrides,
      })
    )._id;

  describe('by words', () => {
    it('should find words of the title, a tag, the description and the text, in this order', async () => {
      const inText = await blog({ draftText: '<p>In the <b>harbour</b> at night</p>' });
      const inDescription = await blog({ description: 'A harbour' });
      const inTags = await blog({ tags: ['Harbour'] });
      const inTitle = await blog({ title: 'Harbour' });
      await blog({ title: 'Mountains' });
      expect(await search.ids('harbour')).toEqual([inTitle, inTags, inDescription, inText]);
    });

    // search-words.spec.ts proves what the words of a text are, and ranking.spec.ts their order.
    it.each([
      ['case and accents', 'ecole', 'École'],
      ['endings', 'publishing', 'published'],
      ['other letters', 'strasse', 'Straße'],
      ['the rest of a version', 'v24', '24.1.0'],
      ['a part of a name', 'js', 'Node.js'],
      ['Cyrillic endings by the beginning', 'гаван', 'Гавань'],
      ['a word between others without blanks', '文章', '我们写文章'],
    ])('should ignore, or find, %s: %j in %j', async (_what, q, title) => {
      const found = await blog({ title: `# ${title} #` });
      await blog({ title: 'Mountains' });
      expect(await search.ids(q)).toEqual([found]);
    });

    it('should require all words, wherever they stand', async () => {
      const both = await blog({ title: 'Harbour', draftText: '<p>lighthouse</p>' });
      for (let number = 0; number < 10; number += 1) {
        await blog({ title: 'Harbour', tags: ['lighthouse'] });
      }
      await blog({ title: 'Harbour' });
      const { items, partial } = await search.page('harbour lighthouse', { limit: '20' });
      expect(items).toHaveLength(11);
      expect(items.map(({ _id }) => _id)).toContain(both);
      expect(partial).toBe(false);
    });

    it('should add those with most of the words when few have all', async () => {
      const two = await blog({ title: 'Harbour lighthouse' });
      const three = await blog({ draftText: '<p>harbour lighthouse keeper</p>' });
      await blog({ title: 'Harbour' });
      const { items, partial } = await search.page('harbour lighthouse keeper');
      expect(items.map(({ _id }) => _id)).toEqual([three, two]);
      expect(partial).toBe(true);
    });

    it('should find what has one of two words when the other is in none', async () => {
      const found = await blog({ title: 'Harbour' });
      const { items, partial, exhaustive } = await search.page('harbour zzzz');
      expect([items.map(({ _id }) => _id), partial, exhaustive]).toEqual([[found], true, true]);
    });
  });

  describe('by the beginning of the last word', () => {
    it('should find longer words, of any ending', async () => {
      const found = await blog({ title: 'Publications', draftText: '<p>an overview</p>' });
      await blog({ title: 'Mountains' });
      for (const q of ['pub', 'publi', 'publicati', 'publications', 'overview publ']) {
        expect([q, await search.ids(q)]).toEqual([q, [found]]);
      }
    });

    it('should take other words as they are, and two letters too', async () => {
      await blog({ title: 'Publications of the year' });
      expect(await search.ids('pu')).toEqual([]);
      expect((await search.page('publi year')).partial).toBe(true);
    });

    it('should say when more words begin so than it looks for', async () => {
      const words = Array.from(
        { length: 40 },
        (_, number) => `sea${'bcdfghjkl'[number % 9]}${number}x`,
      );
      await blog({ draftText: `<p>${words.join(' ')}</p>` });
      expect((await search.page('sea')).exhaustive).toBe(false);
      expect((await search.page('seab0')).exhaustive).toBe(true);
    });
  });

  describe('among some', () => {
    it('should find those with a tag, of an author, and between times', async () => {
      const tagged = await blog({ title: 'Harbour', tags: ['Sea', 'Boat'] });
      const others = await blogIn('live', fixture.other, fixture.editor, {
        title: 'Harbour',
        tags: [],
      });
      const { publishedAt } = (await search.page('harbour', { tag: 'sea' })).items[0] ?? {};
      const later = (await search.page('harbour', { author: fixture.other._id })).items[0];
      expect(await search.ids('harbour', { tag: 'SEA' })).toEqual([tagged]);
      expect(await search.ids('harbour', { author: fixture.other._id })).toEqual([others._id]);
      expect(await search.ids('harbour', { author: fixture.author._id, tag: 'boat' })).toEqual([
        tagged,
      ]);
      expect(await search.ids('harbour', { author: fixture.other._id, tag: 'boat' })).toEqual([]);
      expect(await search.ids('harbour', { author: unknownId() })).toEqual([]);
      expect(await search.ids('harbour', { from: String(later?.publishedAt) })).toEqual([
        others._id,
      ]);
      expect(await search.ids('harbour', { to: String(later?.publishedAt) })).toEqual([tagged]);
      expect(await search.ids('harbour', { to: String(publishedAt) })).toEqual([]);
    });
  });

  describe('a page', () => {
    it('should hold as many as asked for, and know how many there are', async () => {
      const ids = [];
      for (let number = 0; number < 5; number += 1) ids.unshift(await blog({ title: 'Harbour' }));
      const pages = [];
      for (const page of ['1', '2', '3', '4']) {
        const { items, total } = await search.page('harbour', { limit: '2', page });
        expect(total).toBe(5);
        pages.push(items.map(({ _id }) => _id));
      }
      expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []]);
    });

    it('should show each as a list does, with the found words', async () => {
      const _id = await blog({
        title: 'A <b>Harbour</b> & more',
        draftText: `<p>${'Long before. '.repeat(40)}</p><p>The &lt;harbours&gt; of the north</p>`,
      });
      const { items } = await search.page('harbour');
      const list = await fixture.client.get<readonly { _id: string }[]>('/blogs/latest');
      const [item] = items;
      const { highlights, ...others } = item ?? {};
      expect(others).toEqual(list.body.data.find((each) => each._id === _id));
      expect(highlights?.title).toEqual({
        text: 'A <b>Harbour</b> & more',
        ranges: [{ start: 5, end: 12 }],
      });
      const { text, ranges } = highlights?.text ?? { text: '', ranges: [] };
      expect(text.startsWith('… ')).toBe(true);
      expect(text).toContain('<harbours> of the north');
      expect(ranges.map(({ start, end }) => text.slice(start, end))).toEqual(['harbours']);
    });
  });

  describe('a query', () => {
    it('should find nothing without a word', async () => {
      await blog({ title: 'Harbour !!! 👍' });
      for (const q of ['!!!', '   ', '👍', "'"]) {
        const page = { items: [], total: 0, exhaustive: true, partial: false };
        expect([q, await search.page(q)]).toEqual([q, page]);
      }
    });

    it.each([
      ['nothing', ''],
      ['201 characters', `q=${'x'.repeat(201)}`],
      ['nine words', 'q=one+two+three+four+five+six+seven+eight+nine'],
      ['NUL', 'q=a%00b'],
      ['an object', 'q[$gt]=a'],
      ['an author that is no id', 'q=a&author=x'],
    ])('should refuse %s', async (_what, query) => {
      const { status, body } = await fixture.client.get(`/blogs/search?${query}`);
      expect([status, body.code]).toEqual([400, '10001']);
    });

    it('should be taken as plain text', async () => {
      const found = await blog({ title: 'Harbour where' });
      for (const q of ['$where', '"harbour"', '-harbour', 'har\\']) {
        expect([q, await search.ids(q)]).toEqual([q, [found]]);
      }
      for (const q of ['.*', '{"$gt":""}']) expect([q, await search.ids(q)]).toEqual([q, []]);
    });

    it('should take eight words of two hundred characters', async () => {
      const words = Array.from({ length: 8 }, (_, number) => `${number}`.repeat(24));
      const found = await blog({ draftText: `<p>${words.join(' ')}</p>` });
      expect(await search.ids(words.join(' '))).toEqual([found]);
    });
  });
});
