import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { untilServing } from '../../platform/caching/support/barriers.js';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import {
  openBlogFixture,
  removeBlogs,
  storeCopies,
  storedBlog,
  storeTimeline,
  type BlogFixture,
} from '../core/fixture.js';
import { blogIn, PASSWORD, person, unique, unknownId } from '../../support/factories.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
  // No account can be deleted while there is no admin.
  await person(fixture, 'ADMIN');
});

const get = (path: string) => fixture.client.get(path);
const ids = async (path: string): Promise<string[]> => {
  const { status, body } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return body.data.map(({ _id }: { _id: string }) => _id);
};

/** Follows the links of a list to its end. */
async function walk(path: string): Promise<string[]> {
  const all: string[] = [];
  let url = path;
  for (let page = 0; page < 20; page += 1) {
    const { body, headers } = await get(url);
    all.push(...body.data.map(({ _id }: { _id: string }) => _id));
    const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    if (next === undefined) return all;
    url = `${path.split('?')[0]}${next}`;
  }
  throw new Error(`${path} has no end`);
}

describe('the public lists', () => {
  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
  });

  /** Stores a live blog for each of these publication times, all with the same tag. */
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

  const sameTimes = (count: number): string[] => Array<string>(count).fill('2024-05-01T00:00:00Z');
  const paths = (tag: string): string[] => [
    '/blogs/latest',
    '/blog/list/latest',
    `/blogs/tag/${tag}`,
  ];

  it('should be ordered by publication time, newest first, then by id', async () => {
    const times = ['2024-01-02', '2024-03-01', '2024-01-02', '2024-01-02', '2023-12-31'];
    const { ids: stored, tag } = await liveAt(times);
    const expected = [1, 3, 2, 0, 4].map((index) => stored[index]);
    for (const path of paths(tag)) expect([path, await ids(path)]).toEqual([path, expected]);
  });

  it('should keep the place of a blog that is edited and published again', async () => {
    const { author, editor } = fixture;
    const first = await blogIn('live in review', author, editor);
    const second = await blogIn('live', author, editor);
    await editor.client.put(`/blog/editor/publish/id/${first._id}`);
    expect(await ids('/blogs/latest')).toEqual([second._id, first._id]);
  });

  it('should be paginated without a gap or a repetition', async () => {
    const { ids: stored, tag } = await liveAt(sameTimes(25));
    const expected = [...stored].reverse();
    for (const path of paths(tag)) {
      expect(await ids(path)).toEqual(expected.slice(0, 10));
      expect(await ids(`${path}?page=2`)).toEqual(expected.slice(10, 20));
      expect(await ids(`${path}?page=3`)).toEqual(expected.slice(20));
      expect(await ids(`${path}?page=999999999&limit=50`)).toEqual([]);
      expect(await ids(`${path}?page=7&limit=4`)).toEqual(expected.slice(24));
    }
  });

  it.each([
    ['/blogs/latest', 100],
    ['/blogs/tag/some-tag', 100],
    ['/blog/list/latest', 50],
  ])('should refuse only invalid pages and limits: %s', async (path, maxLimit) => {
    expect((await get(`${path}?limit=${maxLimit}&page=999999999`)).status).toBe(200);
    expect((await get(`${path}?unheard=of&%24where=1`)).status).toBe(200);
    const values = ['', '0', '-1', '%2B1', '1.0', '1e1', '0x1', 'a', '1000000000'];
    const queries = values.flatMap((value) => [`page=${value}`, `limit=${value}`]);
    const others = [`limit=${maxLimit + 1}`, 'page=1&page=2', 'page[$gt]=1', 'limit[]=5'];
    for (const query of [...queries, ...others]) {
      const { body } = await get(`${path}?${query}`);
      expect([query, body.status, body.reason]).toEqual([query, 400, 'invalid_parameter']);
    }
  });

  describe('GET /blogs/tag/{tag}', () => {
    const tagged = async (...tags: string[]): Promise<string> =>
      (await blogIn('live', fixture.author, fixture.editor, { tags }))._id;
    const byTag = (tag: string): Promise<string[]> => ids(`/blogs/tag/${encodeURIComponent(tag)}`);

    // words.spec.ts proves which spellings are one tag.
    it('should find a tag in another spelling, and with any character', async () => {
      const spellings = [
        ['TCP/IP', ' tcp/ip'],
        ['Café', 'cafe\u0301'],
        ['C# & F#? 100%', 'c# & f#? 100%'],
        ['{"$gt":""}', '{"$GT":""}'],
        ['.*', '.*'],
        ['ﷺ'.repeat(20), 'ﷺ'.repeat(20)],
      ] as const;
      const id = await tagged(...spellings.map(([tag]) => tag));
      await tagged('another');
      for (const [, asked] of spellings) {
        expect([asked, await byTag(asked)]).toEqual([asked, [id]]);
        const selected = await ids(`/blogs/latest?tag=${encodeURIComponent(asked)}`);
        expect([asked, selected]).toEqual([asked, [id]]);
      }
      expect(await byTag('anothe')).toEqual([]);
    });

    it('should find a blog once, whatever else it is tagged with', async () => {
      const first = await tagged('shared', 'one');
      const second = await tagged('two', 'SHARED');
      expect(await byTag('Shared')).toEqual([second, first]);
    });
  });
});

describe('the filters and the order of a public list', () => {
  let newestFirst: string[];
  const at = (number: number): string => new Date(Date.UTC(2020, 0, 1, 0, number)).toISOString();

  beforeAll(async () => {
    await fixture.db.collection('blogs').deleteMany({});
    newestFirst = await storeTimeline(fixture, 12, (number) => [number % 2 === 0 ? 'even' : 'odd']);
  });

  const numbered = (...numbers: number[]): (string | undefined)[] =>
    numbers.map((number) => newestFirst[11 - number]);

  it.each([
    ['', () => newestFirst],
    ['order=oldest', () => newestFirst.toReversed()],
    [`from=${at(9)}`, () => numbered(11, 10, 9)],
    [`to=${at(2)}`, () => numbered(1, 0)],
    [`from=${at(3)}&to=${at(6)}`, () => numbered(5, 4, 3)],
    [`from=${at(3)}&to=${at(6)}&order=oldest`, () => numbered(3, 4, 5)],
    [`from=${at(6)}&to=${at(3)}`, () => []],
    ['tag=EVEN&order=oldest', () => numbered(0, 2, 4, 6, 8, 10)],
    [`tag=odd&from=${at(4)}&to=${at(8)}`, () => numbered(7, 5)],
  ])('should list %j, also page by page', async (query, expected) => {
    expect(await ids(`/blogs/latest?limit=50&${query}`)).toEqual(expected());
    expect(await walk(`/blogs/latest?limit=2&${query}`)).toEqual(expected());
  });

  it('should list the blogs of an author, all or filtered', async () => {
    const { _id } = fixture.author;
    expect(await walk(`/blogs/author/id/${_id}?limit=5`)).toEqual(newestFirst);
    expect(await walk(`/blogs/latest?limit=5&author=${_id}&order=oldest`)).toEqual(
      newestFirst.toReversed(),
    );
    expect(await walk(`/blogs/author/id/${_id}?limit=1&from=${at(9)}`)).toEqual(
      numbered(11, 10, 9),
    );
    expect(await ids(`/blogs/author/id/${unknownId()}`)).toEqual([]);
  });

  it('should list the blogs of a tag, filtered or oldest first', async () => {
    expect(await walk('/blogs/tag/even?limit=4&order=oldest')).toEqual(numbered(0, 2, 4, 6, 8, 10));
    expect(await walk(`/blogs/tag/even?limit=1&to=${at(4)}`)).toEqual(numbered(2, 0));
  });

  it('should count the blogs that match the filters', async () => {
    const { headers } = await get(`/blogs/latest?limit=1&total=true&from=${at(9)}`);
    expect(headers.get('x-total-count')).toBe('3');
  });

  it.each([
    'order=first',
    'order=oldest&order=newest',
    'from=yesterday',
    'to=2020-01-01',
    'tag=',
    `tag=${'x'.repeat(201)}`,
    'author=me',
    'tag=even&author=66f1a2b3c4d5e6f708192a3b',
    'include=texts',
    'include=text&limit=21',
  ])('should refuse %s', async (query) => {
    expect((await get(`/blogs/latest?${query}`)).status).toBe(400);
  });

  it.each(['/blogs/latest', '/blog/list/latest', '/blogs/tag/even'])(
    'should include the texts in %s',
    async (path) => {
      const { body } = await get(`${path}?include=text&limit=20`);
      const texts = body.data.map(({ text }: { text?: string }) => text);
      expect(texts.length).toBeGreaterThan(0);
      expect(texts).toEqual(texts.map(() => expect.stringMatching(/^<p>Text of /)));
      expect((await get(path)).body.data[0]).not.toHaveProperty('text');
    },
  );
});

describe('an author', () => {
  beforeEach(async () => {
    await removeBlogs(fixture);
    fixture.invalidateCaches();
  });

  const page = (id: string) => get(`/authors/id/${id}`);

  it('should have figures of the live blogs only, and be unknown without a live blog', async () => {
    const { author, editor } = fixture;
    expect((await page(author._id)).status).toBe(404);
    await blogIn('draft', author, editor);
    await blogIn('in review', author, editor);
    expect((await page(author._id)).status).toBe(404);
    const first = await blogIn('live', author, editor);
    const second = await blogIn('live with draft', author, editor);
    const publishedAtOf = async (id: string) => (await get(`/blog/id/${id}`)).body.data.publishedAt;
    expect((await page(author._id)).body.data).toEqual({
      _id: author._id,
      name: author.name,
      blogs: 2,
      firstPublishedAt: await publishedAtOf(first._id),
      lastPublishedAt: await publishedAtOf(second._id),
    });
    await editor.client.put(`/blog/editor/unpublish/id/${first._id}`);
    expect((await page(author._id)).body.data.blogs).toBe(1);
    await author.client.delete(`/blog/author/id/${second._id}`);
    expect((await page(author._id)).status).toBe(404);
  });

  it('should have a new picture and name immediately, and be gone with the account', async () => {
    const author = await person(fixture, 'AUTHOR');
    await blogIn('live', author, fixture.editor);
    expect((await page(author._id)).body.data).not.toHaveProperty('profilePicUrl');
    const profilePicUrl = 'https://example.org/new.png';
    await author.client.put('/profile/mine', { name: 'Another name', profilePicUrl });
    const shown = (await page(author._id)).body.data;
    expect(shown).toMatchObject({ name: 'Another name', profilePicUrl });
    const deletion = await author.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect([deletion.status, deletion.body.message]).toEqual([200, 'account deleted successfully']);
    expect((await page(author._id)).status).toBe(404);
  });

  it('should have a new name in lists; only lists that show the author are read again, and none after a sign-up', async () => {
    const { author, other, editor, app } = fixture;
    await blogIn('live', author, editor, { tags: ['of one'] });
    await blogIn('live', other, editor, { tags: ['of the other'] });
    await untilServing(app);
    const recorder = new CommandRecorder(fixture);
    const paths = ['/blogs/tag/of%20one', '/blogs/tag/of%20the%20other', '/blogs/latest'];
    /** The names in each list, and the number of queries that read it. */
    const read = async () => {
      recorder.clear();
      const lists: [names: string[], queries: number][] = [];
      for (const path of paths) {
        const { body } = await recorder.during(path, () => get(path));
        const names = body.data.map((item: { author: { name: string } }) => item.author.name);
        const queries = recorder.commands.filter(
          ({ endpoint, collection }) => endpoint === path && collection === 'blogs',
        );
        lists.push([names, queries.length]);
      }
      return lists;
    };
    const [one, two] = [author.name, other.name];
    await read();
    const cached = [
      [[one], 0],
      [[two], 0],
      [[two, one], 0],
    ];
    expect(await read()).toEqual(cached);
    const account = { email: `${unique('new')}@example.org`, password: PASSWORD, name: 'New' };
    expect((await fixture.client.post('/auth/signup/basic', account)).status).toBe(200);
    expect(await read()).toEqual(cached);
    const name = 'The new name of one';
    await author.client.put('/profile/mine', { name });
    expect(await read()).toEqual([
      [[name], 1],
      [[two], 0],
      [[two, name], 1],
    ]);
  });
});
