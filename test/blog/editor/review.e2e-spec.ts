import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, storeCopies, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogIn, person, unknownId, type Person } from '../../support/factories.js';

type Data = Readonly<Record<string, unknown>>;

const NOTE = 'Please name your sources.';

interface Item {
  readonly _id: string;
  readonly submittedAt?: string;
  readonly assignedTo?: { readonly _id: string };
}

/** A number of blogs: one more than the largest that a count reports (1,000). */
const TOO_MANY_TO_COUNT = 1_001;

let fixture: BlogFixture;
let author: Person;
let editor: Person;

beforeAll(async () => {
  fixture = await openBlogFixture();
  ({ author, editor } = fixture);
});

describe('The review of a blog', () => {
  const asAuthor = async (id: string): Promise<Data> =>
    (await author.client.get<Data>(`/blog/author/id/${id}`)).body.data;
  const asEditor = async (id: string): Promise<Data> =>
    (await editor.client.get<Data>(`/blog/editor/id/${id}`)).body.data;
  const giveBack = (id: string, note: unknown = NOTE) =>
    editor.client.put<Data>(`/blog/editor/return/id/${id}`, { note });
  const submit = (id: string, body?: object) =>
    author.client.put<Data>(`/blog/author/submit/${id}`, body);
  const assign = (id: string, to: unknown, by = editor) =>
    by.client.put<Data>(`/blog/editor/assign/id/${id}`, { editor: to });

  describe('PUT /blog/editor/return/id/{id}', () => {
    it.each(['in review', 'live in review'] as const)(
      'should show the author of a blog that is %s the reason until the next submission',
      async (state) => {
        const { _id } = await blogIn(state, author, editor);
        expect((await giveBack(_id)).status).toBe(200);
        const returned = { note: NOTE, by: { _id: editor._id, name: editor.name } };
        expect(await asAuthor(_id)).toMatchObject({ returned });
        await author.client.put(`/blog/author/id/${_id}`, { title: 'Another title' });
        expect(await asAuthor(_id)).toMatchObject({ returned });
        expect(await asAuthor(_id)).not.toHaveProperty('submittedAt');
        await submit(_id);
        expect(await asAuthor(_id)).not.toHaveProperty('returned');
        expect((await storedBlog(fixture.db, _id))['returned']).toBeUndefined();
        expect(await asEditor(_id)).not.toHaveProperty('returned');
      },
    );

    it('should replace the reason and the editor of an earlier return', async () => {
      const { _id } = await blogIn('in review', author, editor);
      await giveBack(_id, '$title');
      expect(await asAuthor(_id)).toMatchObject({ returned: { note: '$title' } });
      await submit(_id);
      const other = await person(fixture, 'EDITOR');
      await other.client.put(`/blog/editor/return/id/${_id}`, { note: 'Another one.' });
      const { returned } = await storedBlog(fixture.db, _id);
      expect(returned).toMatchObject({ note: 'Another one.' });
      expect(String(returned.by)).toBe(other._id);
    });

    it('should refuse a reason that is missing, blank or too long', async () => {
      const { _id } = await blogIn('in review', author, editor);
      for (const note of [undefined, '   ', 'n'.repeat(2_001)]) {
        const { status } = await editor.client.put(`/blog/editor/return/id/${_id}`, { note });
        expect(status).toBe(422);
      }
      expect(await asEditor(_id)).toMatchObject({ submitted: true });
    });
  });

  describe('PUT /blog/author/submit/{id} with a note', () => {
    it('should show the note only while the blog is in review', async () => {
      const { _id } = await blogIn('draft', author, editor);
      const note = 'The <b>second</b> chapter is new.';
      expect((await submit(_id, { note })).body.data).toMatchObject({ submissionNote: note });
      expect(await asEditor(_id)).toMatchObject({ submissionNote: note });
      await author.client.put(`/blog/author/withdraw/${_id}`);
      expect(await asAuthor(_id)).not.toHaveProperty('submissionNote');
      await submit(_id, { note: '' });
      expect(await asEditor(_id)).not.toHaveProperty('submissionNote');
      await author.client.put(`/blog/author/withdraw/${_id}`);
      await submit(_id, { note });
      await editor.client.put(`/blog/editor/publish/id/${_id}`);
      expect(await storedBlog(fixture.db, _id)).not.toHaveProperty('submissionNote');
    });
  });

  describe('PUT /blog/editor/id/{id}', () => {
    const correct = async (id: string, body: object, ifMatch?: string) => {
      const etag =
        ifMatch ?? (await editor.client.get(`/blog/editor/id/${id}`)).headers.get('etag') ?? '';
      return editor.client.put<Data>(`/blog/editor/id/${id}`, body, {
        headers: etag === 'none' ? {} : { 'if-match': etag },
      });
    };

    it('should change the submitted revision, and nothing that readers see', async () => {
      const { _id, body } = await blogIn('live in review', author, editor);
      const { status, body: answer } = await correct(_id, { title: 'Corrected' });
      expect([status, answer.message]).toEqual([200, 'blog corrected successfully']);
      expect(answer.data).toMatchObject({ title: 'Corrected', submitted: true, published: true });
      const { body: live } = await fixture.client.get(`/blog/id/${_id}`);
      expect(live.data).toMatchObject({ title: body.title });
      expect(await asAuthor(_id)).toMatchObject({ title: 'Corrected' });
      await editor.client.put(`/blog/editor/publish/id/${_id}`);
      const { body: published } = await fixture.client.get(`/blog/id/${_id}`);
      expect(published.data).toMatchObject({ title: 'Corrected' });
    });

    it('should require If-Match', async () => {
      const { _id } = await blogIn('in review', author, editor);
      const { status, body } = await correct(_id, { title: 'Corrected' }, 'none');
      expect([status, body.message]).toEqual([
        428,
        'If-Match is missing: send the ETag of the blog that you have read',
      ]);
      expect(await storedBlog(fixture.db, _id)).toMatchObject({ rev: 2 });
      // `*` matches any revision (RFC 9110, section 13.1.1).
      expect((await correct(_id, { title: 'Corrected' }, '*')).status).toBe(200);
    });

    it('should refuse the id of another blog, and a text that is empty once cleaned', async () => {
      const { _id } = await blogIn('in review', author, editor);
      expect((await correct(_id, { _id: unknownId() })).status).toBe(400);
      expect((await correct(_id, { draftText: '<script>1</script>' })).status).toBe(422);
      expect((await correct(_id, {})).status).toBe(200);
      expect(await storedBlog(fixture.db, _id)).toMatchObject({ rev: 2 });
    });
  });

  describe('PUT /blog/editor/assign/id/{id}', () => {
    it('should keep the assignment until null is sent or the blog is published, even if it is returned', async () => {
      const { _id } = await blogIn('in review', author, editor);
      const before = await storedBlog(fixture.db, _id);
      const { body } = await assign(_id, editor._id);
      const assignedTo = { _id: editor._id, name: editor.name };
      expect(body.data).toMatchObject({ assignedTo });
      const after = await storedBlog(fixture.db, _id);
      expect(after['rev']).toBe(before['rev'] + 1);
      expect(after['updatedAt']).toEqual(before['updatedAt']);
      expect((await assign(_id, null)).body.data).not.toHaveProperty('assignedTo');
      await assign(_id, editor._id);
      await giveBack(_id);
      expect(await asAuthor(_id)).toMatchObject({ assignedTo });
      await submit(_id);
      expect(await asEditor(_id)).toMatchObject({ assignedTo });
      await editor.client.put(`/blog/editor/publish/id/${_id}`);
      expect(await asEditor(_id)).not.toHaveProperty('assignedTo');
    });

    it('should accept enabled editors only', async () => {
      const { _id } = await blogIn('in review', author, editor);
      const disabled = await person(fixture, 'EDITOR');
      const admin = await person(fixture, 'ADMIN');
      await admin.client.put(`/admin/users/id/${disabled._id}/status`, { enabled: false });
      for (const id of [author._id, unknownId(), disabled._id]) {
        const { status, body } = await assign(_id, id);
        expect([status, body.message]).toEqual([
          400,
          'editor must be the id of an enabled user with the role EDITOR',
        ]);
      }
      for (const value of [undefined, 'me', {}]) {
        expect((await assign(_id, value)).status).toBe(422);
      }
    });
  });
});

describe('The lists of an editor', () => {
  let me: Person;
  let other: Person;
  /** The ids in the order of submission: assigned to me, to another editor, and to no one. */
  const ids: string[] = [];

  beforeAll(async () => {
    await fixture.db.collection('blogs').deleteMany({});
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
  ])('should follow the query "%s"', async (query, expected) => {
    const items = await list(query.replace('other', other._id));
    expect(items.map(({ _id }) => _id)).toEqual(expected.map((index) => ids[index]));
  });

  it('should say to whom a blog is assigned, and when it was submitted', async () => {
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

  it('should have counts up to 1,000; the lists of an author have counts too', async () => {
    const editorCounts = async () => (await me.client.get('/blog/editor/counts')).body.data;
    const authorCounts = async () =>
      (await fixture.author.client.get('/blog/author/counts')).body.data;
    expect(await editorCounts()).toEqual({
      submitted: { count: 3 },
      assignedToMe: { count: 1 },
      unassigned: { count: 1 },
      scheduled: { count: 0 },
      published: { count: 1 },
    });
    const { _id } = await blogIn('draft', fixture.author, me);
    await fixture.author.client.delete(`/blog/author/id/${_id}`);
    await blogIn('live with draft', fixture.author, me);
    expect(await authorCounts()).toEqual({
      drafts: { count: 1 },
      submitted: { count: 3 },
      published: { count: 2 },
      trash: { count: 1 },
    });
    const assignedTo = new Types.ObjectId(me._id);
    const changes = Array.from({ length: TOO_MANY_TO_COUNT }, () => () => ({ assignedTo }));
    await storeCopies(fixture.db, ids[2] ?? '', changes);
    expect(await editorCounts()).toMatchObject({
      submitted: { count: 1_000, more: true },
      assignedToMe: { count: 1_000, more: true },
      unassigned: { count: 1 },
    });
  });
});
