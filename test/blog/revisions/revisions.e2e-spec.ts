import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPTIONAL_LIVE_FIELDS } from '../../../src/blog/core/blog-fields.js';
import { blogBody, blogIn, type State } from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { replaceContent } from './stored-content.js';

interface Write {
  readonly method: 'PUT' | 'DELETE';
  /** The id of the blog is appended, except to `/blog/author`. */
  readonly path: string;
  readonly state: State;
  readonly body?: object;
  readonly isInTrash?: true;
}

const inAnHour = (): string => new Date(Date.now() + HOUR).toISOString();

const WRITES: readonly Write[] = [
  { method: 'PUT', path: '/blog/author/id/', state: 'draft', body: { title: 'Another title' } },
  { method: 'PUT', path: '/blog/author/id/', state: 'draft', body: {} },
  { method: 'PUT', path: '/blog/author', state: 'draft', body: { title: 'Another title' } },
  { method: 'DELETE', path: '/blog/author/id/', state: 'live' },
  { method: 'PUT', path: '/blog/author/submit/', state: 'draft' },
  { method: 'PUT', path: '/blog/author/withdraw/', state: 'in review' },
  { method: 'PUT', path: '/blog/author/discard/', state: 'live with draft' },
  { method: 'PUT', path: '/blog/editor/publish/id/', state: 'in review' },
  { method: 'PUT', path: '/blog/editor/unpublish/id/', state: 'live' },
  {
    method: 'PUT',
    path: '/blog/editor/schedule/id/',
    state: 'in review',
    body: { publishAt: inAnHour() },
  },
  { method: 'PUT', path: '/blog/editor/unschedule/id/', state: 'in review' },
  { method: 'PUT', path: '/blog/editor/id/', state: 'in review', body: { title: 'Corrected' } },
  { method: 'PUT', path: '/blog/editor/return/id/', state: 'in review', body: { note: 'Why?' } },
  { method: 'PUT', path: '/blog/editor/assign/id/', state: 'in review', body: { editor: null } },
  { method: 'PUT', path: '/blog/author/undelete/id/', state: 'draft', isInTrash: true },
  { method: 'DELETE', path: '/blog/author/trash/id/', state: 'draft', isInTrash: true },
];

const STALE = {
  code: '10001',
  status: 412,
  message: 'the blog has changed since you read it: read it again and repeat your change',
  reason: 'stale_revision',
};

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

// if-match.spec.ts proves which revisions a header names.
describe('If-Match', () => {
  it.each(WRITES)(
    'should let $method $path through for the current revision only (body: $body)',
    async ({ method, path, state, body, isInTrash }) => {
      const { author, editor, db } = fixture;
      const { _id } = await blogIn(state, author, editor);
      if (isInTrash) await author.client.delete(`/blog/author/id/${_id}`);
      const { client } = path.startsWith('/blog/editor') ? editor : author;
      const isIdInBody = path === '/blog/author';
      const send = (header: string) =>
        client.request<unknown>(method, isIdInBody ? path : path + _id, {
          headers: { 'if-match': header },
          ...(body ? { body: { _id, ...body } } : {}),
        });
      const before = await storedBlog(db, _id);
      const rev = before['rev'] as number;
      for (const header of [`"${rev - 1}"`, `"${rev + 1}"`, `W/"${rev}"`, 'garbage']) {
        expect([header, (await send(header)).body]).toEqual([header, STALE]);
      }
      expect(await storedBlog(db, _id)).toEqual(before);
      expect((await send(`"${rev - 1}" , "${rev}"`)).status).toBe(200);
    },
  );

  it('should not tell another author which revision a blog has', async () => {
    const { author, other, editor } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    for (const header of ['"1"', '"9"', '*']) {
      const headers = { 'if-match': header };
      const edit = { title: 'Another title' };
      const { status } = await other.client.put(`/blog/author/id/${_id}`, edit, { headers });
      expect(status).toBe(404);
    }
  });
});

describe('the ETag of an editorial view', () => {
  it('should be strong, start at 1 and stay while nothing changes', async () => {
    const { client } = fixture.author;
    const created = await client.post('/blog/author', blogBody());
    const path = `/blog/author/id/${created.body.data._id}`;
    expect(created.headers.get('etag')).toBe('"1"');
    expect((await client.put(path, {})).headers.get('etag')).toBe('"1"');
    expect((await client.get(path)).headers.get('etag')).toBe('"1"');
    expect((await client.request('HEAD', path)).headers.get('etag')).toBe('"1"');
    expect((await client.put(path, { title: 'Other' })).headers.get('etag')).toBe('"2"');
  });

  it('should let only one of 20 concurrent edits of the same revision succeed', async () => {
    const { client } = fixture.author;
    const created = await client.post('/blog/author', blogBody());
    const path = `/blog/author/id/${created.body.data._id}`;
    const headers = { 'if-match': created.headers.get('etag') };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.put(path, { title: `Title ${n}` }, { headers })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await client.get(path)).body.data.title).toBe(winner?.body.data.title);
  });
});

describe('PUT /blog/author/restore/id/{id}/{rev}', () => {
  const restore = (id: string, rev: number, headers: Readonly<Record<string, string>> = {}) =>
    fixture.author.client.put(`/blog/author/restore/id/${id}/${rev}`, undefined, { headers });
  const edit = (id: string, body: object) =>
    fixture.author.client.put(`/blog/author/id/${id}`, body);
  const withdrawnBlog = async (): Promise<string> => {
    const { author, editor } = fixture;
    const { _id } = await blogIn('in review', author, editor);
    await author.client.put(`/blog/author/withdraw/${_id}`);
    return _id;
  };

  it('should make the revision the working copy by an edit, which readers do not see', async () => {
    const { author, editor, client, db } = fixture;
    const { _id, body, pending } = await blogIn('live in review', author, editor);
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    const { rev } = await storedBlog(db, _id);
    const answer = await restore(_id, 2, { 'if-match': `"${rev}"` });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${rev + 1}"`]);
    expect(answer.body.message).toBe('blog restored successfully');
    expect(answer.body.data).toMatchObject({ ...body, published: true, drafted: true });
    expect((await author.client.get(`/blog/author/id/${_id}`)).body.data).toMatchObject(body);
    expect((await client.get(`/blog/id/${_id}`)).body.data).toMatchObject({ title: pending.title });
    const history = await author.client.get(`/blog/author/history/id/${_id}`);
    expect(history.body.data[0]).toMatchObject({ move: 'edit', rev: rev + 1 });
    expect((await editor.client.get(`/blog/editor/revisions/id/${_id}`)).text).not.toContain(
      `"rev":${rev + 1}`,
    );
  });

  // The tests of covers have a picture to remove.
  it.each(OPTIONAL_LIVE_FIELDS.filter((name) => name !== 'cover'))(
    'should remove %s if the revision did not have it',
    async (field) => {
      const { author } = fixture;
      const { [field]: value, ...body } = blogBody();
      const { _id } = (await author.client.post('/blog/author', body)).body.data;
      await author.client.put(`/blog/author/submit/${_id}`);
      await author.client.put(`/blog/author/withdraw/${_id}`);
      await edit(_id, { [field]: value });
      const { data } = (await restore(_id, 2)).body;
      expect(data).toMatchObject(body);
      expect(data).not.toHaveProperty(field);
    },
  );

  it('should clean the text under the current policy, and check its length', async () => {
    const id = await withdrawnBlog();
    const draftText = '<p>Text</p><script>x()</script>';
    await replaceContent(fixture.db, id, 2, { ...blogBody(), draftText });
    const cleaned = await restore(id, 2);
    expect([cleaned.status, cleaned.body.warnings]).toEqual([
      200,
      [{ field: 'draftText', message: '1 script removed' }],
    ]);
    expect((await storedBlog(fixture.db, id))['draftText']).toBe('<p>Text</p>');
    const before = await storedBlog(fixture.db, id);
    await replaceContent(fixture.db, id, 2, { ...blogBody(), draftText: 'x'.repeat(100_001) });
    const { status, body } = await restore(id, 2);
    expect([status, body.message]).toEqual([
      400,
      'the text of the revision must be 1 to 100000 characters after cleaning: edit the blog instead',
    ]);
    expect(await storedBlog(fixture.db, id)).toEqual(before);
  });

  it('should be refused for a stale If-Match, an unknown revision or a slug that is taken', async () => {
    const { other, db } = fixture;
    const stale = await withdrawnBlog();
    const before = await storedBlog(db, stale);
    expect((await restore(stale, 2, { 'if-match': '"2"' })).status).toBe(412);
    expect(await storedBlog(db, stale)).toEqual(before);
    expect((await restore(stale, 3)).body.message).toBe('revision not found');

    const taken = await withdrawnBlog();
    const slug = (await storedBlog(db, taken))['slug'] as string;
    await edit(taken, { slug: `${slug}-2` });
    await other.client.post('/blog/author', blogBody({ slug }));
    const { status, body } = await restore(taken, 2);
    expect([status, body.message]).toEqual([400, `blog with slug: ${slug} already exists`]);
  });
});
