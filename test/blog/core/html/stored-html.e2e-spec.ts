import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Client } from '../../../support/client.js';
import { blogBody, blogIn } from '../../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../fixture.js';

const UNCLEAN =
  '<h1 onclick="steal()">Hello</h1><script>steal()</script><p style="color:red">text ' +
  '<a href="javascript:steal()">link</a><img src="//evil.example/x.png" onerror="steal()">' +
  '<iframe src="https://evil.example"></iframe></p>';
const CLEAN = '<h1 id="h-hello">Hello</h1><p>text <a>link</a></p>';
const PERMITTED =
  '<h2 id="h-head">Head</h2><pre><code class="language-ts">a &lt; b</code></pre><ul><li>one</li></ul>' +
  '<p><a href="https://example.org/" title="t">x</a> <strong>bold</strong><br /></p>';

describe('the HTML of a blog', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  /** Every view that carries a text, after this blog has been through every state. */
  async function texts(id: string): Promise<(string | undefined)[]> {
    const { author, editor, client } = fixture;
    const reads: [Client, string][] = [
      [author.client, `/blog/author/id/${id}`],
      [editor.client, `/blog/editor/id/${id}`],
      [client, `/blog/id/${id}`],
    ];
    const answers = await Promise.all(reads.map(([who, path]) => who.get(path)));
    return answers.flatMap(({ body }) => [body.data.draftText, body.data.text]);
  }

  it('should be clean in every answer and in the database', async () => {
    const { author, editor, db } = fixture;
    const created = await author.client.post('/blog/author', blogBody({ draftText: UNCLEAN }));
    const { _id } = created.body.data;
    expect(created.body.data.draftText).toBe(CLEAN);
    await author.client.put(`/blog/author/submit/${_id}`);
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    expect(await texts(_id)).toEqual([CLEAN, CLEAN, CLEAN, CLEAN, undefined, CLEAN]);
    const edited = await author.client.put(`/blog/author/id/${_id}`, { draftText: `${UNCLEAN}!` });
    expect(edited.body.data).toMatchObject({ draftText: `${CLEAN}!`, text: CLEAN });
    expect(await storedBlog(db, _id)).toMatchObject({ draftText: `${CLEAN}!`, text: CLEAN });
  });

  it('should be kept as it is where it is permitted', async () => {
    const { _id } = await blogIn('live', fixture.author, fixture.editor, {
      draftText: PERMITTED,
    });
    expect((await texts(_id)).filter((text) => text !== undefined)).toEqual(
      Array<string>(5).fill(PERMITTED),
    );
    const { client } = fixture.author;
    const again = await client.put(`/blog/author/id/${_id}`, { draftText: PERMITTED });
    expect(again.body.data.draftText).toBe(PERMITTED);
  });

  it('should not be made of titles and other plain fields', async () => {
    const plain = '<b>bold</b> & "quoted"';
    const { _id } = await blogIn('live', fixture.author, fixture.editor, {
      title: plain,
      description: plain,
      tags: [plain],
    });
    const { body } = await fixture.client.get(`/blog/id/${_id}`);
    expect(body.data).toMatchObject({ title: plain, description: plain, tags: [plain] });
  });

  describe('that another policy once let through', () => {
    /** Live with a draft, both texts stored uncleaned, as a server before this one left them. */
    async function storedUnclean(): Promise<string> {
      const { author, editor, db } = fixture;
      const { _id } = await blogIn('live with draft', author, editor);
      await db
        .collection('blogs')
        .updateOne(
          { _id: new Types.ObjectId(_id) },
          { $set: { text: UNCLEAN, draftText: `${UNCLEAN}!`, htmlVersion: 0 } },
        );
      return _id;
    }

    it('should be cleaned before it leaves', async () => {
      const _id = await storedUnclean();
      expect(await texts(_id)).toEqual([`${CLEAN}!`, CLEAN, CLEAN, CLEAN, undefined, CLEAN]);
    });

    it('should still be cleaned when the draft alone has been written anew', async () => {
      const { author, editor } = fixture;
      const _id = await storedUnclean();
      const path = `/blog/author/id/${_id}`;
      const edited = await author.client.put(path, { draftText: '<p>new</p>' });
      expect(edited.body.data).toMatchObject({ draftText: '<p>new</p>', text: CLEAN });
      expect(await texts(_id)).toEqual(['<p>new</p>', CLEAN, CLEAN, CLEAN, undefined, CLEAN]);
      const discarded = await author.client.put(`/blog/author/discard/${_id}`);
      expect(discarded.body.data).toMatchObject({ draftText: CLEAN, text: CLEAN });
      await author.client.put(path, { draftText: '<p>newer</p>' });
      await author.client.put(`/blog/author/submit/${_id}`);
      const published = await editor.client.put(`/blog/editor/publish/id/${_id}`);
      expect(published.body.data).toMatchObject({
        draftText: '<p>newer</p>',
        text: '<p>newer</p>',
      });
    });
  });
});
