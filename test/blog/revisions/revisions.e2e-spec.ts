import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/client.js';
import { blogBody, blogIn, type State } from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

interface Write {
  readonly method: 'PUT' | 'DELETE';
  readonly path: (id: string) => string;
  readonly state: State;
  readonly body?: (id: string) => object;
  readonly isByEditor?: boolean;
}

const edits = (id: string): object => ({ _id: id, title: 'Another title' });

const WRITES: Readonly<Record<string, Write>> = {
  'PUT /blog/author/id/{id}': {
    method: 'PUT',
    path: (id) => `/blog/author/id/${id}`,
    state: 'draft',
    body: edits,
  },
  'PUT /blog/author': { method: 'PUT', path: () => '/blog/author', state: 'draft', body: edits },
  'PUT /blog/author/id/{id} with an empty body': {
    method: 'PUT',
    path: (id) => `/blog/author/id/${id}`,
    state: 'draft',
    body: () => ({}),
  },
  'DELETE /blog/author/id/{id}': {
    method: 'DELETE',
    path: (id) => `/blog/author/id/${id}`,
    state: 'live',
  },
  'PUT /blog/author/submit/{id}': {
    method: 'PUT',
    path: (id) => `/blog/author/submit/${id}`,
    state: 'draft',
  },
  'PUT /blog/author/withdraw/{id}': {
    method: 'PUT',
    path: (id) => `/blog/author/withdraw/${id}`,
    state: 'in review',
  },
  'PUT /blog/author/discard/{id}': {
    method: 'PUT',
    path: (id) => `/blog/author/discard/${id}`,
    state: 'live with draft',
  },
  'PUT /blog/editor/publish/id/{id}': {
    method: 'PUT',
    path: (id) => `/blog/editor/publish/id/${id}`,
    state: 'in review',
    isByEditor: true,
  },
  'PUT /blog/editor/unpublish/id/{id}': {
    method: 'PUT',
    path: (id) => `/blog/editor/unpublish/id/${id}`,
    state: 'live',
    isByEditor: true,
  },
  'PUT /blog/editor/schedule/id/{id}': {
    method: 'PUT',
    path: (id) => `/blog/editor/schedule/id/${id}`,
    state: 'in review',
    body: () => ({ publishAt: new Date(Date.now() + HOUR).toISOString() }),
    isByEditor: true,
  },
  'PUT /blog/editor/unschedule/id/{id}': {
    method: 'PUT',
    path: (id) => `/blog/editor/unschedule/id/${id}`,
    state: 'in review',
    isByEditor: true,
  },
};

/** Values of If-Match that do not match a blog with the revision `rev`. */
const NON_MATCHING_HEADERS: readonly [label: string, header: (rev: number) => string][] = [
  ['an older revision', (rev) => `"${rev - 1}"`],
  ['a later revision', (rev) => `"${rev + 1}"`],
  ['a list without it', (rev) => `"${rev - 1}", "${rev + 1}"`],
  ['it as a weak tag', (rev) => `W/"${rev}"`],
  ['it without quotes', (rev) => `${rev}`],
  ['it with a zero before it', (rev) => `"0${rev}"`],
  ['no tag at all', () => 'garbage'],
  ['an operator', () => '{"$gt":0}'],
];

const MATCHING_HEADERS: readonly [label: string, header: (rev: number) => string][] = [
  ['it', (rev) => `"${rev}"`],
  ['a list with it', (rev) => `"${rev - 1}" , "${rev}"`],
  ['any', () => '*'],
];

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

describe('If-Match', () => {
  describe.each(Object.entries(WRITES))('%s', (_title, write) => {
    const send = (id: string, header: string) => {
      const { author, editor } = fixture;
      const client: Client = write.isByEditor ? editor.client : author.client;
      return client.request(write.method, write.path(id), {
        headers: { 'if-match': header },
        ...(write.body ? { body: write.body(id) } : {}),
      });
    };

    it('should answer 412 and change nothing for any other revision', async () => {
      const { _id } = await blogIn(write.state, fixture.author, fixture.editor);
      const before = await storedBlog(fixture.db, _id);
      for (const [label, header] of NON_MATCHING_HEADERS) {
        const { body } = await send(_id, header(before['rev']));
        expect([label, body]).toEqual([
          label,
          {
            code: '10001',
            status: 412,
            message: 'the blog has changed since you read it: read it again and repeat your change',
            reason: 'stale_revision',
          },
        ]);
      }
      expect(await storedBlog(fixture.db, _id)).toEqual(before);
    });

    it.each(MATCHING_HEADERS)(
      'should go through when the header names %s',
      async (_label, header) => {
        const { _id } = await blogIn(write.state, fixture.author, fixture.editor);
        const { rev } = await storedBlog(fixture.db, _id);
        const { status } = await send(_id, header(rev));
        expect(status).toBe(200);
      },
    );
  });

  it('should not tell another author which revision a blog has', async () => {
    const { author, other, editor } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    for (const header of ['"1"', '"9"', '*']) {
      const { status } = await other.client.put(`/blog/author/id/${_id}`, edits(_id), {
        headers: { 'if-match': header },
      });
      expect(status).toBe(404);
    }
  });

  it('should prefer the stale revision to the wrong state', async () => {
    const { author, editor } = fixture;
    const { _id } = await blogIn('in review', author, editor);
    const submit = (header: string) =>
      author.client.put(`/blog/author/submit/${_id}`, undefined, {
        headers: { 'if-match': header },
      });
    expect((await submit('"1"')).status).toBe(412);
    expect((await submit('"2"')).status).toBe(400);
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
