import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNewsroom, storeTimeline, type Newsroom } from '../blog/newsroom.js';

const LIVE = 5_000;

// What each request examines is held to its bound when the server closes (test/support/query-plans).
describe('The public lists of 5,000 live blogs', () => {
  let newsroom: Newsroom;
  /** Newest first. */
  let all: string[];

  beforeAll(async () => {
    newsroom = await openNewsroom();
    all = await storeTimeline(newsroom, LIVE, (n) => ['everywhere', `every tenth ${n % 10}`]);
  });

  afterAll(() => newsroom.close());

  const ids = async (path: string): Promise<string[]> => {
    const { body } = await newsroom.client.get<readonly { _id: string }[]>(path);
    return body.data.map(({ _id }) => _id);
  };

  it.each([
    ['/blogs/latest', 1, 10],
    ['/blogs/latest', 400, 10],
    ['/blogs/latest', 50, 100],
    ['/blog/list/latest', 80, 50],
    ['/blogs/tag/everywhere', 1, 10],
    ['/blogs/tag/everywhere', 400, 10],
    ['/blogs/tag/everywhere', 50, 100],
  ])('should answer %s, page %i of %i', async (path, page, limit) => {
    const expected = all.slice((page - 1) * limit, page * limit);
    expect(expected).toHaveLength(limit);
    expect(await ids(`${path}?page=${page}&limit=${limit}`)).toEqual(expected);
  });

  it('should answer a tag that one in ten has, whichever was asked for before', async () => {
    // The newest blog is number 4,999.
    const tenth = all.filter((_, index) => index % 10 === 6);
    const path = `/blogs/tag/${encodeURIComponent('Every tenth 3')}`;
    for (const page of [1, 40]) {
      expect(await ids(`${path}?page=${page}`)).toEqual(tenth.slice((page - 1) * 10, page * 10));
      expect(await ids(`/blogs/tag/everywhere?page=${page}`)).toHaveLength(10);
    }
    expect(await ids(`${path}?page=51`)).toEqual([]);
    expect(await ids('/blogs/tag/nowhere')).toEqual([]);
  });

  it('should answer one of them, by its id and by its slug', async () => {
    for (const id of [all[0], all[2_500], all.at(-1)].map(String)) {
      const byId = await newsroom.client.get(`/blog/id/${id}`);
      const bySlug = await newsroom.client.get(`/blog/slug/${byId.body.data.slug}`);
      expect([byId.status, bySlug.body.data._id]).toEqual([200, id]);
    }
  });
});
