import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import type { Client } from '../../support/client.js';
import { textsOf } from '../../support/blog-fields.js';
import { blogBody, blogIn, STATES, unknownId } from '../../support/factories.js';
import { contentFilter, replaceContent } from './stored-content.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

const ROLES = ['author', 'editor'] as const;
type Role = (typeof ROLES)[number];

const clientOf = (role: Role): Client => fixture[role].client;
const read = (role: Role, id: string, suffix = '') =>
  clientOf(role).get(`/blog/${role}/revisions/id/${id}${suffix}`);
const byOf = ({ _id, name }: { _id: string; name: string }) => ({ _id, name });

describe.each(ROLES)('GET /blog/%s/revisions/id/{id}', (role) => {
  it('should list submissions and publications, newest first, and paginate them', async () => {
    const { author, editor } = fixture;
    const { _id, body, pending } = await blogIn('live in review', author, editor);
    const history = await author.client.get(`/blog/author/history/id/${_id}`);
    const at = (rev: number): unknown =>
      history.body.data.find((event: { rev: number }) => event.rev === rev).at;
    const items = [
      { rev: 5, move: 'submit', by: byOf(author), at: at(5), title: pending.title },
      { rev: 3, move: 'publish', by: byOf(editor), at: at(3), title: body.title },
      { rev: 2, move: 'submit', by: byOf(author), at: at(2), title: body.title },
    ];
    expect((await read(role, _id)).body.data).toEqual(items);
    expect((await read(role, _id, '?limit=1&page=2')).body.data).toEqual([items[1]]);
    expect((await read(role, _id, '?page=2')).body.data).toEqual([]);
  });

  it('should read titles without the compressed fields, and no more records than it lists', async () => {
    const { author, editor, db } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    for (let n = 0; n < 8; n++) {
      await author.client.put(`/blog/author/submit/${_id}`);
      await author.client.put(`/blog/author/withdraw/${_id}`);
    }
    const blog = new Types.ObjectId(_id);
    await db.collection('blog_revisions').updateMany({ blog }, { $set: { fields: 'broken' } });
    // The plans of all queries are checked when the server closes.
    const { body } = await read(role, _id, '?limit=100');
    expect(body.data.map(({ rev }: { rev: number }) => rev)).toEqual(
      Array.from({ length: 8 }, (_, index) => 16 - 2 * index),
    );
    expect((await read(role, _id, '?limit=2')).body.data).toHaveLength(2);
  });
});

describe.each(ROLES)('GET /blog/%s/revisions/id/{id}/{rev}', (role) => {
  it.each(STATES.filter((state) => state !== 'draft'))(
    'should show what was submitted and published of a blog that is %s, and nothing else',
    async (state) => {
      const { author, editor } = fixture;
      const { _id, body, pending } = await blogIn(state, author, editor);
      await author.client.put(`/blog/author/withdraw/${_id}`);
      const unsubmitted = blogBody();
      const edited = await author.client.put(`/blog/author/id/${_id}`, unsubmitted);
      expect(edited.status).toBe(200);
      const { revisions } = await storedBlog(fixture.db, _id);
      for (const { rev } of revisions as { rev: number }[]) {
        const { body: answer, text } = await read(role, _id, `/${rev}`);
        const fields = rev === 5 ? pending : body;
        expect(answer.data).toEqual({
          rev,
          move: rev === 3 ? 'publish' : 'submit',
          by: byOf(rev === 3 ? editor : author),
          at: expect.any(String),
          ...fields,
        });
        for (const part of textsOf(unsubmitted)) expect(text).not.toContain(part);
      }
    },
  );

  it('should clean a text that was stored under an older policy', async () => {
    const { author, editor, db } = fixture;
    const { _id, body } = await blogIn('in review', author, editor);
    const draftText = '<p onclick="x()">Text</p><script>x()</script>';
    await replaceContent(db, _id, 2, { ...body, draftText, imgUrl: 'javascript:x()' });
    const { data } = (await read(role, _id, '/2')).body;
    expect([data.draftText, data.imgUrl]).toEqual(['<p>Text</p>', undefined]);
  });

  it('should answer 404 for a revision that the blog does not have', async () => {
    const { author, editor, db } = fixture;
    const { _id } = await blogIn('live', author, editor);
    for (const rev of [0, 1, 4, 999_999_999]) {
      const { status, body } = await read(role, _id, `/${rev}`);
      expect([status, body.message]).toEqual([404, 'revision not found']);
    }
    await db.collection('blog_revisions').deleteOne(await contentFilter(db, _id, 3));
    expect((await read(role, _id, '/3')).status).toBe(404);
  });

  it.each(['-1', '02', '1e1', 'working', '1000000000', '2%00'])(
    'should answer 400 for %s',
    async (rev) => {
      const { status, body } = await read(role, unknownId(), `/${rev}`);
      expect([status, body.message]).toEqual([
        400,
        'rev must be a revision number, from 0 to 999999999',
      ]);
    },
  );
});

describe('GET /blog/{author|editor}/diff/id/{id}', () => {
  const diff = (role: Role, id: string, query: string) =>
    fixture[role].client.get(`/blog/${role}/diff/id/${id}?${query}`);

  /** Creates a blog that was submitted as revisions 2 and 5 and published as 3, then withdrawn and edited. */
  async function revisedBlog(): Promise<{ _id: string; title: string }> {
    const { author, editor } = fixture;
    const draftText = '<p>It weaves flowers.</p><p>The end.</p>';
    const { imgUrl: _, ...body } = blogBody({ title: 'First', draftText });
    const { _id } = (await author.client.post('/blog/author', body)).body.data;
    const edit = (changes: object) => author.client.put(`/blog/author/id/${_id}`, changes);
    await author.client.put(`/blog/author/submit/${_id}`);
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    await edit({ draftText: '<p>It weaves patterns.</p><p>The end.</p>', title: 'Second' });
    await author.client.put(`/blog/author/submit/${_id}`);
    await author.client.put(`/blog/author/withdraw/${_id}`);
    await edit({ imgUrl: 'https://example.org/a.png', tags: ['late'], title: 'Unsubmitted' });
    return { _id, title: 'Unsubmitted' };
  }

  it.each(ROLES)('should compare two revisions for an %s', async (role) => {
    const { _id } = await revisedBlog();
    const { data } = (await diff(role, _id, 'from=3&to=5')).body;
    expect(data).toEqual({
      fields: [{ field: 'title', before: 'First', after: 'Second' }],
      text: [
        {
          runs: [
            { kind: 'same', text: 'It weaves' },
            { kind: 'removed', text: ' flowers' },
            { kind: 'added', text: ' patterns' },
            { kind: 'same', text: '.' },
          ],
        },
        { runs: [{ kind: 'same', text: 'The end.' }] },
      ],
    });
    const back = (await diff(role, _id, 'from=5&to=3')).body.data;
    expect(back.fields).toEqual([{ field: 'title', before: 'Second', after: 'First' }]);
    // The publication equals the submission before it.
    const same = (await diff(role, _id, 'from=2&to=3')).body.data;
    expect(same.fields).toEqual([]);
    expect(same.text.flatMap(({ runs }: { runs: { kind: string }[] }) => runs)).toEqual([
      { kind: 'same', text: 'It weaves flowers.' },
      { kind: 'same', text: 'The end.' },
    ]);
  });

  it('should compare a revision with the working copy, for the author alone', async () => {
    const { _id, title } = await revisedBlog();
    const { data } = (await diff('author', _id, 'from=5&to=working')).body;
    expect(data.fields).toEqual([
      { field: 'title', before: 'Second', after: title },
      { field: 'tags', before: expect.any(Array), after: ['late'] },
      { field: 'imgUrl', after: 'https://example.org/a.png' },
    ]);
    const { status, body, text } = await diff('editor', _id, 'from=5&to=working');
    expect([status, body.message]).toEqual([
      400,
      'to must be a revision number, from 0 to 999999999',
    ]);
    expect(text).not.toContain(title);
  });

  it('should clean texts that were stored under an older policy before it compares them', async () => {
    const { _id } = await revisedBlog();
    const draftText = '<script>x()</script><p>It weaves patterns.</p><p>The end.</p>';
    await replaceContent(fixture.db, _id, 2, { ...blogBody(), draftText });
    const { data } = (await diff('author', _id, 'from=2&to=5')).body;
    const kinds = data.text.flatMap(({ runs }: { runs: { kind: string }[] }) =>
      runs.map(({ kind }) => kind),
    );
    expect(kinds).toEqual(['same', 'same']);
  });

  it('should refuse unknown revisions and invalid queries', async () => {
    const { _id } = await revisedBlog();
    for (const query of ['from=2&to=4', 'from=4&to=2', 'from=0&to=0']) {
      const { status, body } = await diff('editor', _id, query);
      expect([query, status, body.message]).toEqual([query, 404, 'revision not found']);
    }
    for (const query of ['', 'from=2', 'from=working&to=2', 'from=2&to=', 'from=-1&to=2']) {
      expect([query, (await diff('author', _id, query)).status]).toEqual([query, 400]);
    }
  });
});
