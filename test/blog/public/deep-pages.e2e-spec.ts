import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { OLD_INDEXES } from '../../../src/cli/commands/migrate/old-indexes.js';
import { openBlogFixture, storeTimeline, type BlogFixture } from '../core/fixture.js';
import { until } from '../../support/time/wait.js';
import { untilServing } from '../../platform/caching/support/barriers.js';

const BLOG_COUNT = 5_000;

// When the server closes, test/support/query-plans checks how much each request examined.
describe('The public lists of 5,000 live blogs', () => {
  let fixture: BlogFixture;
  /** The ids of the blogs, newest first. */
  let all: string[];

  beforeAll(async () => {
    fixture = await openBlogFixture();
    all = await storeTimeline(fixture, BLOG_COUNT, (n) => ['everywhere', `every tenth ${n % 10}`]);
  });

  const ids = async (path: string): Promise<string[]> => {
    const { body } = await fixture.client.get<readonly { _id: string }[]>(path);
    return body.data.map(({ _id }) => _id);
  };

  it.each([
    ['/blogs/latest', 400, 10],
    ['/blogs/latest', 50, 100],
    ['/blog/list/latest', 80, 50],
    ['/blogs/tag/everywhere', 50, 100],
  ])('should answer %s, page %i with %i items', async (path, page, limit) => {
    const expected = all.slice((page - 1) * limit, page * limit);
    expect(expected).toHaveLength(limit);
    expect(await ids(`${path}?page=${page}&limit=${limit}`)).toEqual(expected);
  });

  it('should list a tag of every tenth blog, whichever tag was requested before', async () => {
    // The newest blog has number 4,999, so the newest whose number ends in 3 has index 6.
    const tagged = all.filter((_, index) => index % 10 === 6);
    const path = `/blogs/tag/${encodeURIComponent('Every tenth 3')}`;
    for (const page of [1, 40]) {
      expect(await ids(`${path}?page=${page}`)).toEqual(tagged.slice((page - 1) * 10, page * 10));
      expect(await ids(`/blogs/tag/everywhere?page=${page}`)).toHaveLength(10);
    }
    expect(await ids(`${path}?page=51`)).toEqual([]);
    expect(await ids('/blogs/tag/nowhere')).toEqual([]);
  });

  describe('of which every other was taken down in the database', () => {
    let remaining: string[];

    beforeAll(async () => {
      remaining = all.filter((_, index) => index % 2 === 0);
      const taken = all.filter((_, index) => index % 2 === 1).map((id) => new Types.ObjectId(id));
      const blogs = fixture.db.collection('blogs');
      const half = taken.length / 2;
      const takeDown = (ids: Types.ObjectId[], $set: object) =>
        blogs.updateMany({ _id: { $in: ids } }, { $set });
      await takeDown(taken.slice(0, half), { published: false });
      await takeDown(taken.slice(half), { status: false });
      fixture.invalidateCaches();
      // On a busy machine, reads may get 503 while the change events of 2,500 edits are handled.
      await untilServing(fixture.app);
    });

    afterAll(async () => {
      const $set = { status: true, published: true };
      await fixture.db.collection('blogs').updateMany({ 'live.at': { $exists: true } }, { $set });
      fixture.invalidateCaches();
    });

    const lists = ['/blogs/latest', '/blogs/tag/everywhere'];

    it.each(lists)('should list the remaining blogs at %s, with their total', async (path) => {
      for (const page of [1, 60, 250]) {
        expect(await ids(`${path}?page=${page}`)).toEqual(
          remaining.slice((page - 1) * 10, page * 10),
        );
      }
      expect(await ids(`${path}?page=251`)).toEqual([]);
      // Each process counts the lists of edited blogs a moment after the edit.
      await until('the total of the remaining blogs', async () => {
        const { headers } = await fixture.client.get(`${path}?total=true`);
        return headers.get('x-total-count') === String(remaining.length);
      });
    });

    it('should read deep pages with the indexes of this version although those of an earlier one exist', async () => {
      const blogs = fixture.db.collection('blogs');
      // Without a hint, MongoDB would prefer the old indexes, and fetch the documents that it skips.
      const [latest = {}, byTag = {}] = OLD_INDEXES['blogs'] ?? [];
      const isLive = { 'live.at': { $gt: new Date(0) } };
      const hasTags = { 'live.tagKeys': { $gte: '' } };
      await blogs.createIndex(latest, { partialFilterExpression: isLive });
      await blogs.createIndex(byTag, { partialFilterExpression: hasTags });
      for (const path of lists) {
        expect(await ids(`${path}?page=240`)).toEqual(remaining.slice(2_390, 2_400));
      }
      for (const name of ['live.at_-1__id_-1', 'live.tagKeys_1_live.at_-1__id_-1']) {
        await blogs.dropIndex(name);
      }
    });
  });
});
