import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogBody, blogIn, type State } from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

interface Write {
  readonly method: 'PUT' | 'DELETE';
  /** The id of the blog follows, except after `/blog/author`. */
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
    'should let $method $path with $body go through for the present revision alone',
    async ({ method, path, state, body, isInTrash }) => {
      const { author, editor, db } = fixture;
      const { _id } = await blogIn(state, author, editor);
      if (isInTrash) await author.client.delete(`/blog/author/id/${_id}`);
      const { client } = path.startsWith('/blog/editor') ? editor : author;
      const isInBody = path === '/blog/author';
      const send = (header: string) =>
        client.request<unknown>(method, isInBody ? path : path + _id, {
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

  it('should let an editor publish only the revision that was read', async () => {
    const { author, editor, client } = fixture;
    const { _id } = await blogIn('in review', author, editor);
    const read = await editor.client.get(`/blog/editor/id/${_id}`);
    const publish = (etag: string | null) =>
      editor.client.put(`/blog/editor/publish/id/${_id}`, undefined, {
        headers: { 'if-match': etag },
      });
    await author.client.put(`/blog/author/withdraw/${_id}`);
    await author.client.put(`/blog/author/id/${_id}`, { title: 'Nobody reviewed this' });
    await author.client.put(`/blog/author/submit/${_id}`);
    expect((await publish(read.headers.get('etag'))).status).toBe(412);
    expect((await client.get(`/blog/id/${_id}`)).status).toBe(404);
    const again = await editor.client.get(`/blog/editor/id/${_id}`);
    expect((await publish(again.headers.get('etag'))).status).toBe(200);
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

  it('should lose no change of two authors who read the same revision', async () => {
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
