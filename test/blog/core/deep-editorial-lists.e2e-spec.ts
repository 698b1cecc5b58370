import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogIn, STATES } from '../../support/factories.js';
import { FLAGS, openBlogFixture, storeCopies, storedBlog, type BlogFixture } from './fixture.js';

const PER_STATE = 300;
const FIRST_AT = Date.UTC(2020, 0, 1);

/** How many of the five states a list holds. */
const LISTS = [
  ['/blog/author/drafts', 2],
  ['/blog/author/submitted', 2],
  ['/blog/author/published', 3],
  ['/blog/editor/submitted', 2],
  ['/blog/editor/published', 3],
] as const;

// What each request examines is held to its bound when the server closes (test/support/query-plans).
describe('The editorial lists of hundreds of blogs', () => {
  let fixture: BlogFixture;
  let original: string;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    const { author, other, editor, db } = fixture;
    original = (await blogIn('live in review', author, editor))._id;
    // Those of somebody else are not in the author's way.
    await blogIn('live in review', other, editor);
    const { live } = await storedBlog(db, original);
    for (const state of STATES) {
      await storeCopies(
        db,
        original,
        Array.from({ length: PER_STATE }, (_, n) => (slug: string) => ({
          ...FLAGS[state],
          slug: `${slug}-${FLAGS[state].submitted}${FLAGS[state].drafted}`,
          slugs: [`${slug} ${state}`],
          ...(FLAGS[state].published ? { live: { ...live, slug } } : { live: undefined }),
          updatedAt: new Date(FIRST_AT + n * 60_000),
        })),
      );
    }
  });

  it.each(LISTS)('should answer %s at any depth', async (path, states) => {
    const { client } = path.startsWith('/blog/author') ? fixture.author : fixture.editor;
    const times: string[] = [];
    for (const page of [1, 2, 5]) {
      const { body } = await client.get<readonly { updatedAt: string }[]>(
        `${path}?page=${page}&limit=100`,
      );
      expect(body.data).toHaveLength(100);
      times.push(...body.data.map(({ updatedAt }) => updatedAt));
    }
    expect(times).toEqual([...times].sort().reverse());
    const { body } = await client.get(`${path}?page=${states * 30 + 2}`);
    expect(body.data).toEqual([]);
  });

  it('should let an editor read and publish one of hundreds', async () => {
    const { editor } = fixture;
    expect((await editor.client.get(`/blog/editor/id/${original}`)).status).toBe(200);
    expect((await editor.client.put(`/blog/editor/publish/id/${original}`)).status).toBe(200);
    expect((await editor.client.put(`/blog/editor/unpublish/id/${original}`)).status).toBe(200);
  });
});
