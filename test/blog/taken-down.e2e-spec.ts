import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { MigrationService } from '../../src/database/migrations/migration.service.js';
import { BLOG_READS } from '../routes/reads.js';
import { untilServing } from '../cache/support/barriers.js';
import type { Client } from '../support/client.js';
import { blogBody, blogIn, unique, type BlogInState } from '../support/factories.js';
import { until } from '../support/time/wait.js';
import { openBlogFixture, storedBlog, type BlogFixture } from './fixture.js';

/** What an operator in haste, or an older server, sets. */
const BY_HAND = [
  ['published: false', { published: false }, { published: true }],
  ['status: false', { status: false }, { status: true }],
] as const;

const PROMISED_MS = 1_000;

interface Look {
  readonly route: string;
  readonly isShown: boolean;
  readonly total?: number;
}

describe('a blog that is taken down in the database', () => {
  let fixture: BlogFixture;
  let reader: Client;
  /** Shares a tag with every blog of these tests, and so has them as similar ones. */
  let neighbour: BlogInState;
  const tag = unique('tag');

  beforeAll(async () => {
    fixture = await openBlogFixture();
    reader = fixture.client;
    neighbour = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
  });

  const update = (id: string, set: object) =>
    fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, { $set: set });
  const live = (state: 'live' | 'live with draft' | 'live in review' = 'live') =>
    blogIn(state, fixture.author, fixture.editor, { tags: [tag] });
  const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);
  const remove = (id: string) => fixture.author.client.delete(`/blog/author/id/${id}`);

  /** Where a reader finds the blog, and how many blogs a paginated list counts. */
  async function seen(blog: BlogInState): Promise<readonly Look[]> {
    const looks = BLOG_READS.map(async ({ route, isList, isPaged, pathTo }) => {
      const path = pathTo({ ...blog, author: fixture.author, neighbour });
      const { status, body } = await reader.get(path);
      const isShown = isList
        ? body.data.some(({ _id }: { _id: string }) => _id === blog._id)
        : status === 200;
      if (!isPaged) return { route, isShown };
      const { headers } = await reader.get(`${path}?total=true`);
      return { route, isShown, total: Number(headers.get('x-total-count')) };
    });
    return await Promise.all(looks);
  }

  it.each(BY_HAND)('should be gone within a second by %s, and come back', async (_, down, up) => {
    const blog = await live();
    await untilServing(fixture.app);
    const before = await seen(blog);
    expect(before.map(({ isShown }) => isShown)).toEqual(BLOG_READS.map(() => true));
    // From the cache as well.
    expect(await seen(blog)).toEqual(before);
    const gone = before.map(({ total, ...look }) => ({
      ...look,
      isShown: false,
      ...(total !== undefined && { total: total - 1 }),
    }));
    const isAs = (expected: readonly Look[]) => async () =>
      JSON.stringify(await seen(blog)) === JSON.stringify(expected);
    await update(blog._id, down);
    // The deadline is that of the change, and `seen` takes a request or two for each route.
    await until('the blog to be gone', isAs(gone), PROMISED_MS);
    expect(await seen(blog)).toEqual(gone);
    // Nor does it lead to what is like it.
    expect((await reader.get(`/blogs/similar/id/${blog._id}`)).status).toBe(404);
    await update(blog._id, up);
    await until('the blog to be back', isAs(before), PROMISED_MS);
  });

  const COMBINATIONS = (['live', 'live with draft', 'live in review'] as const).flatMap((state) =>
    BY_HAND.flatMap(([name, down]) => [
      { state, name, down },
      { state, name: 'both', down: { status: false, published: false } },
    ]),
  );

  it.each(COMBINATIONS)(
    'should be unpublished for good: $state, $name',
    async ({ state, down }) => {
      const { _id, body } = await live(state);
      await update(_id, down);
      const isDeleted = 'status' in down;
      const drafted = !isDeleted;
      const answer = await unpublish(_id);
      expect(answer.body).toMatchObject({
        status: 200,
        message: 'blog unpublished successfully',
        // What was live, not the draft that nobody submitted.
        data: { title: body.title, submitted: false, drafted, published: false },
      });
      const stored = await storedBlog(fixture.db, _id);
      expect(stored).toMatchObject({ submitted: false, drafted, published: false });
      expect(stored).not.toHaveProperty('live');
      expect(stored['status']).toBe(!isDeleted);
      expect(stored['slugs']).toHaveLength(isDeleted ? 0 : 1);
      expect('deletedAt' in stored).toBe(isDeleted);
      const again = await unpublish(_id);
      expect(again.status).toBe(isDeleted ? 404 : 400);
      const mine = await fixture.author.client.get(`/blog/author/id/${_id}`);
      expect(mine.status).toBe(isDeleted ? 404 : 200);
      // Nothing of it comes back when the flags do.
      await update(_id, { status: true, published: true });
      fixture.afterEdit();
      expect((await reader.get(`/blog/id/${_id}`)).status).toBe(404);
      await update(_id, { status: false, published: false });
    },
  );

  it.each(COMBINATIONS)(
    'should be deleted by its author: $state, $name',
    async ({ state, down }) => {
      const { _id, body } = await live(state);
      await update(_id, down);
      expect((await fixture.other.client.delete(`/blog/author/id/${_id}`)).status).toBe(404);
      expect((await remove(_id)).status).toBe(200);
      const stored = await storedBlog(fixture.db, _id);
      expect(stored).toMatchObject({ status: false, slugs: [], published: false });
      expect(stored).not.toHaveProperty('live');
      expect((await remove(_id)).status).toBe(404);
      const { slug } = body;
      const next = await fixture.other.client.post<{ slug: string }>(
        '/blog/author',
        blogBody({ slug }),
      );
      expect(next.body.data.slug).toBe(slug);
    },
  );

  it.each(BY_HAND.map(([name, down]) => ({ name, down })))(
    'should be no further than its flags say: $name',
    async ({ down }) => {
      const { _id } = await live('live in review');
      await update(_id, down);
      const isDeleted = 'status' in down;
      const { author, editor } = fixture;
      const publish = await editor.client.put(`/blog/editor/publish/id/${_id}`);
      expect(publish.status).toBe(isDeleted ? 404 : 200);
      const withdraw = await author.client.put(`/blog/author/withdraw/${_id}`);
      expect(withdraw.status).toBe(isDeleted ? 404 : 400);
    },
  );

  it('should not become public by a migration, and what lacks a status should stay so', async () => {
    const [draft, deleted, bare] = [await live(), await live('live with draft'), await live()];
    await update(draft._id, { published: false });
    await update(deleted._id, { status: false });
    const blogs = fixture.db.collection('blogs');
    await blogs.updateOne({ _id: new Types.ObjectId(bare._id) }, { $unset: { status: 1 } });
    const before = await storedBlog(fixture.db, draft._id);
    const { changed } = await fixture.app.get(MigrationService).run({ dryRun: false });
    fixture.afterEdit();
    expect(changed).toEqual(
      expect.arrayContaining([
        '1 blog: missing status set to true',
        expect.stringMatching(/^\d+ blogs: public version removed, they are not published$/),
      ]),
    );
    const statuses = [draft, deleted, bare].map(
      async ({ _id }) => (await reader.get(`/blog/id/${_id}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
    const after = await storedBlog(fixture.db, draft._id);
    expect(after).toMatchObject({ drafted: true, published: false, status: true });
    expect(after).not.toHaveProperty('live');
    expect(after['updatedAt']).toEqual(before['updatedAt']);
  });
});
