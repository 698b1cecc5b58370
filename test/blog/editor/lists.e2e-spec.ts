import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import {
  openBlogFixture,
  storeCopies,
  storedBlog,
  type BlogFixture,
  person,
} from '../core/fixture.js';
import { blogIn, type Person, type State } from '../../support/factories.js';

interface Item {
  readonly _id: string;
  readonly submittedAt?: string;
  readonly assignedTo?: { readonly _id: string };
}

/** More than a count tells. */
const MANY = 1_001;

describe('The lists of an editor', () => {
  let fixture: BlogFixture;
  let me: Person;
  let other: Person;
  /** The ids in the order of submission: assigned to me, to another editor, and to no one. */
  const ids: string[] = [];

  beforeAll(async () => {
    fixture = await openBlogFixture();
    me = fixture.editor;
    other = await person(fixture, 'EDITOR');
    for (const state of ['in review', 'live in review', 'in review'] as const) {
      ids.push((await blogIn(state, fixture.author, me))._id);
    }
    await me.client.put(`/blog/editor/assign/id/${ids[0]}`, { editor: me._id });
    await me.client.put(`/blog/editor/assign/id/${ids[1]}`, { editor: other._id });
  });

  const list = async (query: string): Promise<readonly Item[]> =>
    (await me.client.get<readonly Item[]>(`/blog/editor/submitted?${query}`)).body.data;

  it.each([
    ['', [2, 1, 0]],
    ['order=oldest', [0, 1, 2]],
    ['order=oldest&page=2&limit=1', [1]],
    ['assigned=me', [0]],
    ['assigned=none', [2]],
    ['assigned=other', [1]],
    ['assigned=other&order=oldest', [1]],
  ])('should be as "%s" says', async (query, expected) => {
    const items = await list(query.replace('other', other._id));
    expect(items.map(({ _id }) => _id)).toEqual(expected.map((index) => ids[index]));
  });

  it('should say who takes care of a blog, and since when it waits', async () => {
    const [first] = await list('assigned=me');
    const { submittedAt } = await storedBlog(fixture.db, ids[0] ?? '');
    expect(first).toMatchObject({
      submittedAt: submittedAt.toISOString(),
      assignedTo: { _id: me._id, name: me.name },
    });
  });

  it.each(['assigned=you', 'order=newest'])('should refuse %s', async (query) => {
    expect((await me.client.get(`/blog/editor/submitted?${query}`)).status).toBe(400);
  });

  it('should be counted up to 1,000', async () => {
    const counts = async () => (await me.client.get('/blog/editor/counts')).body.data;
    const own = async () => (await fixture.author.client.get('/blog/author/counts')).body.data;
    expect(await counts()).toEqual({
      submitted: { count: 3 },
      assignedToMe: { count: 1 },
      unassigned: { count: 1 },
      scheduled: { count: 0 },
      published: { count: 1 },
    });
    const { _id } = await blogIn('draft', fixture.author, me);
    await fixture.author.client.delete(`/blog/author/id/${_id}`);
    await blogIn('live with draft' satisfies State, fixture.author, me);
    expect(await own()).toEqual({
      drafts: { count: 1 },
      submitted: { count: 3 },
      published: { count: 2 },
      trash: { count: 1 },
    });
    const assignedTo = new Types.ObjectId(me._id);
    const changes = Array.from({ length: MANY }, () => () => ({ assignedTo }));
    await storeCopies(fixture.db, ids[2] ?? '', changes);
    expect(await counts()).toMatchObject({
      submitted: { count: 1_000, more: true },
      assignedToMe: { count: 1_000, more: true },
      unassigned: { count: 1 },
    });
  });
});
