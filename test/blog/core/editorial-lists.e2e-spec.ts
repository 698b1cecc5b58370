import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/client.js';
import type { BlogBody } from '../../support/blog-fields.js';
import {
  blogIn,
  STATES,
  type BlogInState,
  type Person,
  type State,
} from '../../support/factories.js';
import { FLAGS, openBlogFixture, storeCopies, storedBlog, type BlogFixture } from './fixture.js';

interface Item {
  readonly _id: string;
  readonly title: string;
  readonly updatedAt: string;
}

const PER_STATE = 300;
const FIRST_AT = Date.UTC(2020, 0, 1);

/** The states of the blogs in each list. */
const LISTS = {
  '/blog/author/drafts': ['draft', 'live with draft'],
  '/blog/author/submitted': ['in review', 'live in review'],
  '/blog/author/published': ['live', 'live with draft', 'live in review'],
  '/blog/editor/submitted': ['in review', 'live in review'],
  '/blog/editor/published': ['live', 'live with draft', 'live in review'],
} as const satisfies Record<string, readonly State[]>;

const PATHS = Object.keys(LISTS) as (keyof typeof LISTS)[];

describe('the lists of authors and editors', () => {
  let fixture: BlogFixture;
  const mine = new Map<State, BlogInState>();
  const theirs = new Map<State, BlogInState>();

  beforeAll(async () => {
    fixture = await openBlogFixture();
    const { author, other, editor } = fixture;
    for (const state of STATES) mine.set(state, await blogIn(state, author, editor));
    for (const state of STATES) theirs.set(state, await blogIn(state, other, editor));
  });

  const clientOf = (path: string): Client =>
    path.startsWith('/blog/author') ? fixture.author.client : fixture.editor.client;
  const list = async (path: string): Promise<readonly Item[]> =>
    (await clientOf(path).get<readonly Item[]>(path)).body.data;

  /** The author sees the working copy; an editor sees the submitted revision or the live version. */
  function shownFields(
    path: string,
    state: State,
    { body, pending }: BlogInState,
  ): Partial<BlogBody> {
    const isPending =
      state === 'live in review' ||
      (state === 'live with draft' && path.startsWith('/blog/author'));
    const { draftText: _, ...fields } = isPending ? pending : body;
    return fields;
  }

  describe.each(PATHS)('GET %s', (path) => {
    it('should hold the blogs in its states as the caller may see them, latest change first', async () => {
      const { author, other } = fixture;
      const isAuthorList = path.startsWith('/blog/author');
      const items = (blogs: Map<State, BlogInState>, { _id, name }: Pick<Person, '_id' | 'name'>) =>
        LISTS[path].map((state) => {
          const blog = blogs.get(state) as BlogInState;
          return {
            ...shownFields(path, state, blog),
            ...FLAGS[state],
            _id: blog._id,
            score: 0.01,
            author: { _id, name },
            createdAt: expect.any(String),
            updatedAt: expect.any(String),
            ...(FLAGS[state].submitted ? { submittedAt: expect.any(String) } : {}),
          };
        });
      // `mine` were created before `theirs`, each in the order of STATES: the latest change is the last item.
      const expected = [
        ...items(mine, author),
        ...(isAuthorList ? [] : items(theirs, other)),
      ].reverse();
      expect(await list(path)).toEqual(expected);
    });

    it('should be paginated', async () => {
      const all = await list(path);
      const pages = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7].map((n) => list(`${path}?page=${n}&limit=1`)),
      );
      expect(pages.flat()).toEqual(all);
      expect(await list(`${path}?page=999999999&limit=100`)).toEqual([]);
    });
  });

  it('should show a changed blog first, and move it to another list after a transition', async () => {
    const { other, editor } = fixture;
    const { _id } = await blogIn('draft', other, editor);
    const { _id: later } = await blogIn('draft', other, editor);
    const drafts = async (): Promise<string[]> => {
      const { body } = await other.client.get<readonly Item[]>('/blog/author/drafts');
      return body.data.slice(0, 2).map((item) => item._id);
    };
    expect(await drafts()).toEqual([later, _id]);
    await other.client.put(`/blog/author/id/${_id}`, { title: 'Changed' });
    expect(await drafts()).toEqual([_id, later]);
    await other.client.put(`/blog/author/submit/${_id}`);
    expect(await drafts()).not.toContain(_id);
    expect((await list('/blog/editor/submitted'))[0]?._id).toBe(_id);
    await other.client.delete(`/blog/author/id/${_id}`);
    expect((await list('/blog/editor/submitted?limit=100')).map((item) => item._id)).not.toContain(
      _id,
    );
    await other.client.delete(`/blog/author/id/${later}`);
  });

  // When the server closes, test/support/query-plans checks what each request examined, also the last three.
  it('should page through hundreds of blogs, ordered by the time of change, then by id', async () => {
    const { author, editor, db } = fixture;
    const { _id } = await blogIn('live in review', author, editor);
    const { live } = await storedBlog(db, _id);
    for (const state of STATES) {
      const copies = Array.from({ length: PER_STATE }, (_, n) => (slug: string) => ({
        ...FLAGS[state],
        slug: `${slug}-${FLAGS[state].submitted}${FLAGS[state].drafted}`,
        slugs: [`${slug} ${state}`],
        ...(FLAGS[state].published ? { live: { ...live, slug } } : { live: undefined }),
        updatedAt: new Date(FIRST_AT + Math.floor(n / 2) * 60_000),
      }));
      await storeCopies(db, _id, copies);
    }
    for (const path of PATHS) {
      const keys: string[] = [];
      for (const page of [1, 2, 5]) {
        const { body } = await clientOf(path).get<readonly Item[]>(
          `${path}?page=${page}&limit=100`,
        );
        expect(body.data).toHaveLength(100);
        keys.push(...body.data.map((item) => `${item.updatedAt} ${item._id}`));
      }
      expect([path, keys]).toEqual([path, [...keys].sort().reverse()]);
      expect(await list(`${path}?page=${LISTS[path].length * 30 + 5}`)).toEqual([]);
    }
    expect((await editor.client.get(`/blog/editor/id/${_id}`)).status).toBe(200);
    expect((await editor.client.put(`/blog/editor/publish/id/${_id}`)).status).toBe(200);
    expect((await editor.client.put(`/blog/editor/unpublish/id/${_id}`)).status).toBe(200);
  });
});
