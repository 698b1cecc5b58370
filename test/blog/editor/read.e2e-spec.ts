import { beforeAll, describe, expect, it } from '@jest/globals';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { textsOf, type BlogBody } from '../../support/blog-fields.js';
import { blogIn, type BlogInState } from '../../support/factories.js';

describe('what an editor sees', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const live = (state: 'live with draft' | 'live in review'): Promise<BlogInState> =>
    blogIn(state, fixture.author, fixture.editor);
  const found = (text: string, body: BlogBody): string[] =>
    textsOf(body).filter((value) => text.includes(value));

  it('should be nothing of the unsubmitted draft of a live blog, in any answer', async () => {
    const { editor } = fixture;
    const { _id, body, pending } = await live('live with draft');
    for (const { text } of [
      await editor.client.get(`/blog/editor/id/${_id}`),
      await editor.client.get('/blog/editor/published?limit=100'),
      await editor.client.get('/blog/editor/submitted?limit=100'),
      await editor.client.put(`/blog/editor/publish/id/${_id}`),
      await editor.client.put(`/blog/editor/unpublish/id/${_id}`),
      await editor.client.get(`/blog/editor/id/${_id}`),
      await editor.client.get('/blog/editor/published?limit=100'),
    ]) {
      expect(found(text, pending)).toEqual([]);
    }
    const { body: mine } = await fixture.author.client.get(`/blog/author/id/${_id}`);
    expect(mine.data).toMatchObject(pending);
    expect(mine.data.text).toBe(body.draftText);
  });

  it('should be the whole submitted revision, with the live text beside it', async () => {
    const { _id, body, pending } = await live('live in review');
    const read = await fixture.editor.client.get(`/blog/editor/id/${_id}`);
    expect(read.body.data).toMatchObject({ ...pending, text: body.draftText });
    const { draftText: _, ...fields } = pending;
    for (const path of ['/blog/editor/submitted', '/blog/editor/published']) {
      const list = await fixture.editor.client.get(`${path}?limit=1`);
      expect(list.body.data[0]).toMatchObject({ _id, ...fields });
    }
  });

  it('should change with a withdrawal back to what is live', async () => {
    const { author, editor } = fixture;
    const { _id, body, pending } = await live('live in review');
    await author.client.put(`/blog/author/withdraw/${_id}`);
    const { body: read, text } = await editor.client.get(`/blog/editor/id/${_id}`);
    expect(read.data).toMatchObject(body);
    expect(found(text, pending)).toEqual([]);
  });

  it('should be what was live when a blog in review is taken down, and then nothing', async () => {
    const { author, editor } = fixture;
    const { _id, body, pending } = await live('live in review');
    const { body: answer } = await editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    expect(answer.data).toMatchObject({ ...body, drafted: true, submitted: false });
    expect((await editor.client.get(`/blog/editor/id/${_id}`)).status).toBe(404);
    const mine = await author.client.get(`/blog/author/id/${_id}`);
    expect(mine.body.data).toMatchObject({ ...pending, text: body.draftText });
  });

  it('should name the author, not the editor who moved it', async () => {
    const { author, editor } = fixture;
    const { _id } = await blogIn('in review', author, editor);
    const { body } = await editor.client.put(`/blog/editor/publish/id/${_id}`);
    expect(body.data.author).toEqual({ _id: author._id, name: author.name });
  });
});
