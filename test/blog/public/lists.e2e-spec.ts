import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBlogFixture, storeCopies, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogIn } from '../../support/factories.js';

interface Item {
  readonly _id: string;
  readonly publishedAt: string;
}

describe('the public lists', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
  });

  const get = (path: string) => fixture.client.get<readonly Item[]>(path);
  const ids = async (path: string): Promise<string[]> =>
    (await get(path)).body.data.map(({ _id }) => _id);

  /** Live blogs with one tag, one for each of these publication times. */
  async function liveAt(times: readonly string[]): Promise<{ ids: string[]; tag: string }> {
    const { _id, body } = await blogIn('live', fixture.author, fixture.editor);
    const { live } = await storedBlog(fixture.db, _id);
    const copies = await storeCopies(
      fixture.db,
      _id,
      times.map((time) => (slug) => ({
        publishedAt: new Date(time),
        live: { ...live, slug, at: new Date(time) },
      })),
    );
    await fixture.author.client.delete(`/blog/author/id/${_id}`);
    return { ids: copies, tag: String(body.tags[0]) };
  }

  const same = (count: number): string[] => Array<string>(count).fill('2024-05-01T00:00:00Z');
  const paths = (tag: string): string[] => [
    '/blogs/latest',
    '/blog/list/latest',
    `/blogs/tag/${tag}`,
  ];

  it('should be ordered by publication, newest first, and by id where that is the same', async () => {
    const times = ['2024-01-02', '2024-03-01', '2024-01-02', '2024-01-02', '2023-12-31'];
    const { ids: stored, tag } = await liveAt(times);
    const expected = [1, 3, 2, 0, 4].map((index) => stored[index]);
    for (const path of paths(tag)) expect([path, await ids(path)]).toEqual([path, expected]);
  });

  it('should keep its place when a blog is edited and published again', async () => {
    const { author, editor } = fixture;
    const first = await blogIn('live in review', author, editor);
    const second = await blogIn('live', author, editor);
    await editor.client.put(`/blog/editor/publish/id/${first._id}`);
    expect(await ids('/blogs/latest')).toEqual([second._id, first._id]);
  });

  it('should be cut into pages that meet without a gap or a repetition', async () => {
    const { ids: stored, tag } = await liveAt(same(25));
    const expected = [...stored].reverse();
    for (const path of paths(tag)) {
      expect(await ids(path)).toEqual(expected.slice(0, 10));
      expect(await ids(`${path}?page=2`)).toEqual(expected.slice(10, 20));
      expect(await ids(`${path}?page=3`)).toEqual(expected.slice(20));
      expect(await ids(`${path}?page=999999999&limit=50`)).toEqual([]);
      expect(await ids(`${path}?page=7&limit=4`)).toEqual(expected.slice(24));
    }
  });

  it('should hold at most 100 items, and 50 on /blog/list/latest', async () => {
    const { ids: stored, tag } = await liveAt(same(101));
    const expected = [...stored].reverse();
    expect(await ids('/blogs/latest?limit=100')).toEqual(expected.slice(0, 100));
    expect(await ids(`/blogs/tag/${tag}?limit=100`)).toEqual(expected.slice(0, 100));
    expect(await ids('/blog/list/latest?limit=50')).toEqual(expected.slice(0, 50));
  });

  describe.each([
    ['/blogs/latest', 100],
    ['/blogs/tag/some-tag', 100],
    ['/blog/list/latest', 50],
  ])('%s', (path, most) => {
    // page-query.dto.spec.ts proves what is no number of a page.
    it.each(['page=0', 'page=1&page=2', 'limit=5&limit=5', 'page[$gt]=1', 'limit[]=5'])(
      'should refuse %s',
      async (query) => {
        const { body } = await get(`${path}?${query}`);
        expect(body).toMatchObject({ status: 400, reason: 'invalid_parameter' });
      },
    );

    it('should refuse one item more than the most', async () => {
      expect((await get(`${path}?limit=${most}`)).status).toBe(200);
      expect((await get(`${path}?limit=${most + 1}`)).status).toBe(400);
    });

    it('should ignore parameters that it does not know', async () => {
      expect((await get(`${path}?unheard=of&%24where=1`)).status).toBe(200);
    });
  });

  describe('GET /blogs/tag/{tag}', () => {
    const tagged = async (...tags: string[]): Promise<string> =>
      (await blogIn('live', fixture.author, fixture.editor, { tags }))._id;
    const byTag = (tag: string): Promise<string[]> => ids(`/blogs/tag/${encodeURIComponent(tag)}`);

    it('should find a tag in any case, width and composition, and with any sign', async () => {
      const spellings = [
        ['Node.js', 'nODE.JS'],
        ['TCP/IP', 'tcp/ip'],
        ['machine learning', ' Machine Learning '],
        ['ＡＢＣ', 'abc'],
        ['ﬁle', 'FILE'],
        ['Café', 'cafe\u0301'],
        ['100%', '100%'],
        ['C++', 'c++'],
        ['C# & F#?', 'c# & f#?'],
        ['🎉', '🎉'],
        ['{"$gt":""}', '{"$GT":""}'],
        ['.*', '.*'],
      ] as const;
      const id = await tagged(...spellings.map(([tag]) => tag));
      await tagged('another');
      for (const [, asked] of spellings) expect([asked, await byTag(asked)]).toEqual([asked, [id]]);
      const { body } = await fixture.client.get(`/blog/id/${id}`);
      expect(body.data.tags).toEqual(spellings.map(([tag]) => tag));
    });

    it('should find a blog once, whatever else it is tagged with', async () => {
      const first = await tagged('shared', 'one');
      const second = await tagged('two', 'SHARED');
      expect(await byTag('Shared')).toEqual([second, first]);
    });

    it('should answer an empty list for any other tag', async () => {
      await tagged('shared');
      for (const tag of ['unknown', 'share', 'shared2', '.*', '{"$ne":null}', 'x'.repeat(200)]) {
        expect([tag, await byTag(tag)]).toEqual([tag, []]);
      }
    });
  });
});
