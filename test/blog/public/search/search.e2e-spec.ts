import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { TermQueries } from '../../../../src/blog/public/search/term-queries.js';
import {
  foldChanges,
  openBlogFixture,
  storeCopies,
  storedBlog,
  type BlogFixture,
} from '../../core/fixture.js';
import type { BlogBody } from '../../../support/blog-fields.js';
import { blogIn, unknownId, type State } from '../../../support/factories.js';
import type { SearchItemView } from '../../../../src/blog/public/search/results/search.view.js';

interface Page {
  readonly items: readonly (SearchItemView & { readonly _id: string })[];
  readonly total: number;
  readonly exhaustive: boolean;
  readonly partial: boolean;
}

type Query = Readonly<Record<string, string>>;

const FIRST_AT = Date.UTC(2020, 0, 1);

describe('GET /blogs/search', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
  });

  const search = async (q: string, query: Query = {}): Promise<Page> => {
    const path = `/blogs/search?${new URLSearchParams({ q, ...query }).toString()}`;
    return (await fixture.client.get<Page>(path)).body.data;
  };
  const idsOf = async (q: string, query?: Query): Promise<string[]> =>
    (await search(q, query)).items.map(({ _id }) => _id);

  /** Creates a blog that has no words but those of `overrides`. */
  const blog = async (overrides: Partial<BlogBody>, state: State = 'live'): Promise<string> => {
    const { _id } = await blogIn(state, fixture.author, fixture.editor, {
      title: '###',
      description: '###',
      draftText: '<p>###</p>',
      tags: [],
      ...overrides,
    });
    await foldChanges(fixture);
    return _id;
  };

  describe('by words', () => {
    it('should find words of the title, a tag, the description and the text, in this order', async () => {
      const inText = await blog({ draftText: '<p>In the <b>harbour</b> at night</p>' });
      const inDescription = await blog({ description: 'A harbour' });
      const inTags = await blog({ tags: ['Harbour'] });
      const inTitle = await blog({ title: 'Harbour' });
      await blog({ title: 'Mountains' });
      expect(await idsOf('harbour')).toEqual([inTitle, inTags, inDescription, inText]);
    });

    // search-words.spec.ts proves what the words of a text are. ranking.spec.ts proves the order of results.
    it.each([
      ['despite case, accents and ending', 'ecoles', 'École'],
      ['within a name', 'js', 'Node.js'],
      ['between others without blanks', '文章', '我们写文章'],
    ])('should find a word %s: %j in %j', async (_what, q, title) => {
      const found = await blog({ title: `# ${title} #` });
      await blog({ title: 'Mountains' });
      expect(await idsOf(q)).toEqual([found]);
    });

    it('should require all words, wherever they stand', async () => {
      const both = await blog({ title: 'Harbour', draftText: '<p>lighthouse</p>' });
      for (let number = 0; number < 10; number += 1) {
        await blog({ title: 'Harbour', tags: ['lighthouse'] });
      }
      await blog({ title: 'Harbour' });
      const { items, partial } = await search('harbour lighthouse', { limit: '20' });
      expect(items).toHaveLength(11);
      expect(items.map(({ _id }) => _id)).toContain(both);
      expect(partial).toBe(false);
    });

    it('should add articles with most of the words if few have all', async () => {
      const withTwoWords = await blog({ title: 'Harbour lighthouse' });
      const withAllWords = await blog({ draftText: '<p>harbour lighthouse keeper</p>' });
      await blog({ title: 'Harbour' });
      const { items, partial } = await search('harbour lighthouse keeper');
      expect(items.map(({ _id }) => _id)).toEqual([withAllWords, withTwoWords]);
      expect(partial).toBe(true);
    });

    it('should find articles with one of two words if no article has the other', async () => {
      const found = await blog({ title: 'Harbour' });
      const { items, partial, exhaustive } = await search('harbour zzzz');
      expect([items.map(({ _id }) => _id), partial, exhaustive]).toEqual([[found], true, true]);
    });
  });

  describe('by the beginning of the last word', () => {
    it('should find longer words with any ending', async () => {
      const found = await blog({ title: 'Publications', draftText: '<p>an overview</p>' });
      await blog({ title: 'Mountains' });
      for (const q of ['pub', 'publi', 'publicati', 'publications', 'overview publ']) {
        expect([q, await idsOf(q)]).toEqual([q, [found]]);
      }
    });

    it('should complete neither other words nor a beginning of two letters', async () => {
      await blog({ title: 'Publications of the year' });
      expect(await idsOf('pu')).toEqual([]);
      expect((await search('publi year')).partial).toBe(true);
    });

    it('should not be exhaustive if more words have the beginning than the search looks for', async () => {
      const words = Array.from(
        { length: 40 },
        (_, number) => `sea${'bcdfghjkl'[number % 9]}${number}x`,
      );
      await blog({ draftText: `<p>${words.join(' ')}</p>` });
      expect((await search('sea')).exhaustive).toBe(false);
      expect((await search('seab0')).exhaustive).toBe(true);
    });
  });

  describe('with a filter', () => {
    it('should find the articles of a tag, of an author and of a time range', async () => {
      const tagged = await blog({ title: 'Harbour', tags: ['Sea', 'Boat'] });
      const byOther = await blogIn('live', fixture.other, fixture.editor, {
        title: 'Harbour',
        tags: [],
      });
      const { publishedAt } = (await search('harbour', { tag: 'sea' })).items[0] ?? {};
      const later = (await search('harbour', { author: fixture.other._id })).items[0];
      expect(await idsOf('harbour', { tag: 'SEA' })).toEqual([tagged]);
      expect(await idsOf('harbour', { author: fixture.other._id })).toEqual([byOther._id]);
      expect(await idsOf('harbour', { author: fixture.author._id, tag: 'boat' })).toEqual([tagged]);
      expect(await idsOf('harbour', { author: fixture.other._id, tag: 'boat' })).toEqual([]);
      expect(await idsOf('harbour', { author: unknownId() })).toEqual([]);
      expect(await idsOf('harbour', { from: String(later?.publishedAt) })).toEqual([byOther._id]);
      expect(await idsOf('harbour', { to: String(later?.publishedAt) })).toEqual([tagged]);
      expect(await idsOf('harbour', { to: String(publishedAt) })).toEqual([]);
    });
  });

  describe('a page', () => {
    it('should have the requested number of articles, and the total', async () => {
      const ids = [];
      for (let number = 0; number < 5; number += 1) ids.unshift(await blog({ title: 'Harbour' }));
      const pages = [];
      for (const page of ['1', '2', '3', '4']) {
        const { items, total } = await search('harbour', { limit: '2', page });
        expect(total).toBe(5);
        pages.push(items.map(({ _id }) => _id));
      }
      expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), []]);
    });

    it('should show each article as a list does, with the found words highlighted', async () => {
      const _id = await blog({
        title: 'A <b>Harbour</b> & more',
        draftText: `<p>${'Long before. '.repeat(40)}</p><p>The &lt;harbours&gt; of the north</p>`,
      });
      const { items } = await search('harbour');
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
      await blog({ title: 'Harbour !!! ™' });
      for (const q of ['!!!', '   ', '™', "'"]) {
        const page = { items: [], total: 0, exhaustive: true, partial: false };
        expect([q, await search(q)]).toEqual([q, page]);
      }
    });

    it.each([
      ['a missing query', ''],
      ['201 characters', `q=${'x'.repeat(201)}`],
      ['nine words', 'q=one+two+three+four+five+six+seven+eight+nine'],
      ['NUL', 'q=a%00b'],
      ['an object', 'q[$gt]=a'],
      ['an invalid author id', 'q=a&author=x'],
    ])('should refuse %s', async (_what, query) => {
      const { status, body } = await fixture.client.get(`/blogs/search?${query}`);
      expect([status, body.code]).toEqual([400, '10001']);
    });

    it('should be taken as plain text', async () => {
      const found = await blog({ title: 'Harbour where' });
      for (const q of ['$where', '"harbour"', '-harbour', 'har\\']) {
        expect([q, await idsOf(q)]).toEqual([q, [found]]);
      }
      for (const q of ['.*', '{"$gt":""}']) expect([q, await idsOf(q)]).toEqual([q, []]);
    });
  });

  describe('among many articles', () => {
    /**
     * Stores live articles that were published a minute apart.
     *
     * @param wordsOf returns the words of an article by its number; number 0 is the oldest
     * @returns their ids, oldest first
     */
    async function store(
      count: number,
      wordsOf: (number: number) => readonly string[],
    ): Promise<string[]> {
      const { _id } = await blogIn('live', fixture.author, fixture.editor);
      const { live } = await storedBlog(fixture.db, _id);
      const copies = Array.from({ length: count }, (_, number) => (slug: string) => {
        const at = new Date(FIRST_AT + number * 60_000);
        return { publishedAt: at, live: { ...live, slug, at, words: wordsOf(number) } };
      });
      const ids = await storeCopies(fixture.db, _id, copies);
      await fixture.author.client.delete(`/blog/author/id/${_id}`);
      return ids;
    }

    it('should find the newest hundred, and say that there are more', async () => {
      const ids = await store(150, () => ['3harbour']);
      const { items, total, exhaustive } = await search('harbour', { limit: '100' });
      expect(items.map(({ _id }) => _id)).toEqual(ids.slice(50).reverse());
      expect([total, exhaustive]).toEqual([100, false]);
      expect(await idsOf('harbour', { limit: '10', page: '11' })).toEqual([]);
    });

    it('should find a rare word in an old article, however common the other words are', async () => {
      const ids = await store(1_300, (number) =>
        number === 7 ? ['3harbour', '3tide', '3lighthous'] : ['3harbour', '3tide'],
      );
      for (const q of ['harbour lighthouse', 'lighthouse tide harbour', 'tide lighthouse']) {
        const { items, exhaustive } = await search(q, { limit: '100' });
        expect([items[0]?._id, q]).toEqual([ids[7], q]);
        // Articles with some of the words may be missing: only the newest ones with a common word are read.
        expect([exhaustive, q]).toEqual([false, q]);
      }
    });

    it('should find a word itself in an old article, however common its other forms are', async () => {
      const ids = await store(1_300, (number) => ['3harbour', number === 7 ? '3c#' : '3c']);
      for (const q of ['c#', 'harbour c#', 'c# harbour']) expect((await idsOf(q))[0]).toBe(ids[7]);
    });

    it('should examine only the newest thousand articles with the rarest word, and not be exhaustive', async () => {
      // The two words are equally common; two old articles and a new one have both.
      const both = new Set([100, 250, 2_300]);
      const ids = await store(2_400, (number) =>
        both.has(number) ? ['3harbour', '3tide'] : [number % 2 === 0 ? '3harbour' : '3tide'],
      );
      const { items, exhaustive, partial } = await search('harbour tide');
      expect([items[0]?._id, exhaustive, partial]).toEqual([ids[2_300], false, true]);
      expect(items.map(({ _id }) => _id)).not.toContain(ids[100]);
    });

    it('should rank an old article found by its title above a thousand new ones found by their texts', async () => {
      const ids = await store(1_200, (number) => (number === 3 ? ['0harbour'] : ['3harbour']));
      expect((await idsOf('harbour'))[0]).toBe(ids[3]);
    });

    it('should begin with the filter if fewer articles match it than have the word', async () => {
      const ids = await store(1_100, () => ['3harbour']);
      const tagged = ids[5] ?? '';
      await fixture.db
        .collection('blogs')
        .updateOne({ _id: new Types.ObjectId(tagged) }, { $set: { 'live.tagKeys': ['sea'] } });
      const { items, exhaustive } = await search('harbour', { tag: 'sea' });
      expect([items.map(({ _id }) => _id), exhaustive]).toEqual([[tagged], true]);
    });

    it('should not show an article that is taken down during the search', async () => {
      const [taken = '', remaining] = await store(2, () => ['3harbour']);
      const queries = fixture.app.get(TermQueries);
      const read = queries.items.bind(queries);
      jest.spyOn(queries, 'items').mockImplementationOnce(async (ids, options) => {
        // Another process may take the article down now.
        await fixture.db
          .collection('blogs')
          .updateOne({ _id: new Types.ObjectId(taken) }, { $unset: { live: 1 } });
        return read(ids, options);
      });
      expect(await idsOf('harbour')).toEqual([remaining]);
    });

    it('should find the newest hundred by a beginning of many common words', async () => {
      const endings = [...'abcdefghijklmno'];
      await fixture.db
        .collection<{ _id: string; stem: string }>('search_spellings')
        .insertMany(endings.map((end) => ({ _id: `harb${end}`, stem: `harb${end}` })));
      const ids = await store(400, (number) =>
        endings.slice(number % 15).map((end) => `3harb${end}`),
      );
      const { items, total } = await search('harb', { limit: '100' });
      expect(items.map(({ _id }) => _id)).toEqual(ids.slice(300).reverse());
      expect(total).toBe(100);
    });
  });
});
