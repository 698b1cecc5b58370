import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { TermQueries } from '../../../../src/blog/public/search/term-queries.js';
import { openBlogFixture, storeCopies, storedBlog, type BlogFixture } from '../../core/fixture.js';
import { blogIn } from '../../../support/factories.js';
import { searcherOf, type Searcher } from './search-helper.js';

const FIRST_AT = Date.UTC(2020, 0, 1);

describe('GET /blogs/search among many articles', () => {
  let fixture: BlogFixture;
  let search: Searcher;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    search = searcherOf(fixture);
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
  });

  /**
   * Stores live articles that were published a minute apart.
   *
   * @param wordsOf the words of an article by its number; 0 is the oldest
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
    const { items, total, exhaustive } = await search.page('harbour', { limit: '100' });
    expect(items.map(({ _id }) => _id)).toEqual(ids.slice(50).reverse());
    expect([total, exhaustive]).toEqual([100, false]);
    expect(await search.ids('harbour', { limit: '10', page: '11' })).toEqual([]);
  });

  it('should find a rare word in an old article, however common the other ones are', async () => {
    const ids = await store(1_300, (number) =>
      number === 7 ? ['3harbour', '3tide', '3lighthous'] : ['3harbour', '3tide'],
    );
    for (const q of ['harbour lighthouse', 'lighthouse tide harbour', 'tide lighthouse']) {
      const { items, exhaustive } = await search.page(q, { limit: '100' });
      expect([items[0]?._id, q]).toEqual([ids[7], q]);
      // Those with most of the words come from the newest ones with a common word.
      expect([exhaustive, q]).toEqual([false, q]);
    }
  });

  it('should look at the newest thousand with the rarest of common words, and say so', async () => {
    // The second word is as common; both stand together in two old articles and in a new one.
    const both = new Set([100, 250, 2_300]);
    const ids = await store(2_400, (number) =>
      both.has(number) ? ['3harbour', '3tide'] : [number % 2 === 0 ? '3harbour' : '3tide'],
    );
    const { items, exhaustive, partial } = await search.page('harbour tide');
    expect([items[0]?._id, exhaustive, partial]).toEqual([ids[2_300], false, true]);
    expect(items.map(({ _id }) => _id)).not.toContain(ids[100]);
  });

  it('should find an old article by its title beside a thousand new ones by their texts', async () => {
    const ids = await store(1_200, (number) => (number === 3 ? ['0harbour'] : ['3harbour']));
    expect((await search.ids('harbour'))[0]).toBe(ids[3]);
  });

  it('should begin with the filter when that is rarer', async () => {
    const ids = await store(1_100, () => ['3harbour']);
    const tagged = ids[5] ?? '';
    await fixture.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(tagged) }, { $set: { 'live.tagKeys': ['sea'] } });
    const { items, exhaustive } = await search.page('harbour', { tag: 'sea' });
    expect([items.map(({ _id }) => _id), exhaustive]).toEqual([[tagged], true]);
  });

  it('should not show one that is taken down while it is searched for', async () => {
    const [taken = '', left] = await store(2, () => ['3harbour']);
    const queries = fixture.app.get(TermQueries);
    const read = queries.items.bind(queries);
    jest.spyOn(queries, 'items').mockImplementationOnce(async (ids, options) => {
      // Another process may do this.
      await fixture.db
        .collection('blogs')
        .updateOne({ _id: new Types.ObjectId(taken) }, { $unset: { live: 1 } });
      return read(ids, options);
    });
    expect(await search.ids('harbour')).toEqual([left]);
  });

  it('should hold a beginning that stands for many common words', async () => {
    const endings = [...'abcdefghijklmno'];
    await fixture.db
      .collection<{ _id: string; stem: string }>('search_spellings')
      .insertMany(endings.map((end) => ({ _id: `harb${end}`, stem: `harb${end}` })));
    const ids = await store(400, (number) =>
      endings.slice(number % 15).map((end) => `3harb${end}`),
    );
    const { items, total } = await search.page('harb', { limit: '100' });
    expect(items.map(({ _id }) => _id)).toEqual(ids.slice(300).reverse());
    expect(total).toBe(100);
  });
});
