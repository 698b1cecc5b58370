import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPTIONAL_FIELDS } from '../../../src/blog/core/blog-fields.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogBody, blogIn } from '../../support/factories.js';
import { replaceContent } from './stored-content.js';

describe('PUT /blog/author/restore/id/{id}/{rev}', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const restore = (id: string, rev: number, headers: Readonly<Record<string, string>> = {}) =>
    fixture.author.client.put(`/blog/author/restore/id/${id}/${rev}`, undefined, { headers });
  const edit = (id: string, body: object) =>
    fixture.author.client.put(`/blog/author/id/${id}`, body);
  const withdrawn = async (): Promise<string> => {
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

  it.each(OPTIONAL_FIELDS)('should remove %s if the revision did not have it', async (field) => {
    const { author } = fixture;
    const { [field]: value, ...body } = blogBody();
    const { _id } = (await author.client.post('/blog/author', body)).body.data;
    await author.client.put(`/blog/author/submit/${_id}`);
    await author.client.put(`/blog/author/withdraw/${_id}`);
    await edit(_id, { [field]: value });
    const { data } = (await restore(_id, 2)).body;
    expect(data).toMatchObject(body);
    expect(data).not.toHaveProperty(field);
  });

  it('should clean the text under the present policy, and check its length', async () => {
    const id = await withdrawn();
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

  it('should be refused as an edit is', async () => {
    const { other, db } = fixture;
    const stale = await withdrawn();
    const before = await storedBlog(db, stale);
    expect((await restore(stale, 2, { 'if-match': '"2"' })).status).toBe(412);
    expect(await storedBlog(db, stale)).toEqual(before);
    expect((await restore(stale, 3)).body.message).toBe('revision not found');

    const taken = await withdrawn();
    const slug = (await storedBlog(db, taken))['slug'] as string;
    await edit(taken, { slug: `${slug}-2` });
    await other.client.post('/blog/author', blogBody({ slug }));
    const { status, body } = await restore(taken, 2);
    expect([status, body.message]).toEqual([400, `blog with slug: ${slug} already exists`]);
  });
});
