import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { BLOG_READS, itemsIn } from '../../routes/reads.js';
import { untilServing } from '../../platform/caching/support/barriers.js';
import type { Client } from '../../support/client.js';
import { blogBody, blogIn, unique, type BlogInState } from '../../support/factories.js';
import { until } from '../../support/time/wait.js';
import { openBlogFixture, storedBlog, type BlogFixture } from './fixture.js';

/** Flags that an operator or an older server may set in the database. */
const DATABASE_EDITS = [
  ['published: false', { published: false }, { published: true }],
  ['status: false', { status: false }, { status: true }],
] as const;

const DEADLINE_MS = 1_000;

interface Visibility {
  readonly route: string;
  readonly isShown: boolean;
  readonly total?: number;
}

describe('a blog that is taken down in the database', () => {
  let fixture: BlogFixture;
  let reader: Client;
  /** Shares a tag with every blog of these tests, and so is similar to them. */
  let similarBlog: BlogInState;
  const tag = unique('tag');

  beforeAll(async () => {
    fixture = await openBlogFixture();
    reader = fixture.client;
    similarBlog = await blogIn('live', fixture.author, fixture.editor, { tags: [tag] });
  });

  const update = (id: string, set: object) =>
    fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, { $set: set });
  const live = (state: 'live' | 'live with draft' | 'live in review' = 'live') =>
    blogIn(state, fixture.author, fixture.editor, { tags: [tag, unique('own')] });
  const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);
  const remove = (id: string) => fixture.author.client.delete(`/blog/author/id/${id}`);

  /** Where a reader finds the blog and its own tag, and how many blogs a paginated list counts. */
  async function visibilityOf(blog: BlogInState): Promise<readonly Visibility[]> {
    const visibilities = BLOG_READS.map(async ({ route, isList, isPaged, pathTo }) => {
      const path = pathTo({ ...blog, author: fixture.author, similarBlog });
      const { status, body } = await reader.get(path);
      const isShown = isList
        ? itemsIn(body.data).some(({ _id }) => _id === blog._id)
        : status === 200;
      if (!isPaged) return { route, isShown };
      const { headers } = await reader.get(`${path}?total=true`);
      return { route, isShown, total: Number(headers.get('x-total-count')) };
    });
    const { body } = await reader.get(`/tags?prefix=${blog.body.tags[1]}`);
    const tagVisibility = { route: 'GET /tags', isShown: body.data.length === 1 };
    return [...(await Promise.all(visibilities)), tagVisibility];
  }

  it.each(DATABASE_EDITS)(
    'should be hidden within a second after %s, and shown again when it is undone',
    async (_, down, up) => {
      const blog = await live();
      await untilServing(fixture.app);
      const before = await visibilityOf(blog);
      expect(before.map(({ isShown }) => isShown)).toEqual(before.map(() => true));
      // The cached responses show it as well.
      expect(await visibilityOf(blog)).toEqual(before);
      const gone = before.map(({ total, ...rest }) => ({
        ...rest,
        isShown: false,
        ...(total !== undefined && { total: total - 1 }),
      }));
      const isVisibleAs = (expected: readonly Visibility[]) => async () =>
        JSON.stringify(await visibilityOf(blog)) === JSON.stringify(expected);
      await update(blog._id, down);
      // The deadline covers the checks too: `visibilityOf` sends one or two requests for each route.
      await until('the blog to be gone', isVisibleAs(gone), DEADLINE_MS);
      expect(await visibilityOf(blog)).toEqual(gone);
      // Its list of similar blogs is gone as well.
      expect((await reader.get(`/blogs/similar/id/${blog._id}`)).status).toBe(404);
      await update(blog._id, up);
      await until('the blog to be back', isVisibleAs(before), DEADLINE_MS);
    },
  );

  /** Each flag alone in the live state with the most to remove, and both flags in the other live states. */
  const COMBINATIONS = [
    ...DATABASE_EDITS.map(([name, down]) => ({ state: 'live in review' as const, name, down })),
    ...(['live', 'live with draft'] as const).map((state) => ({
      state,
      name: 'both flags',
      down: { status: false, published: false },
    })),
  ];

  it.each(COMBINATIONS)(
    'should be unpublished permanently ($state, $name)',
    async ({ state, down }) => {
      const { _id, body } = await live(state);
      await update(_id, down);
      const isDeleted = 'status' in down;
      const drafted = !isDeleted;
      const answer = await unpublish(_id);
      expect(answer.body).toMatchObject({
        status: 200,
        message: 'blog unpublished successfully',
        // The title of the live version, not of the pending edit.
        data: { title: body.title, submitted: false, drafted, published: false },
      });
      const stored = await storedBlog(fixture.db, _id);
      expect(stored).toMatchObject({ submitted: false, drafted, published: false });
      expect(stored).not.toHaveProperty('live');
      expect(stored['status']).toBe(!isDeleted);
      const slugs = [stored['slug'], ...(stored['formerSlugs'] ?? [])];
      expect(new Set(stored['slugs'])).toEqual(new Set(isDeleted ? [] : slugs));
      expect('deletedAt' in stored).toBe(isDeleted);
      const again = await unpublish(_id);
      expect(again.status).toBe(isDeleted ? 404 : 400);
      const mine = await fixture.author.client.get(`/blog/author/id/${_id}`);
      expect(mine.status).toBe(isDeleted ? 404 : 200);
      // The blog stays hidden even if the flags are set again.
      await update(_id, { status: true, published: true });
      fixture.invalidateCaches();
      expect((await reader.get(`/blog/id/${_id}`)).status).toBe(404);
      await update(_id, { status: false, published: false });
    },
  );

  it.each(COMBINATIONS)(
    'should be deleted by its author ($state, $name)',
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
});
