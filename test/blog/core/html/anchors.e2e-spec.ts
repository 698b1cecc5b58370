import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { blogBody, blogIn } from '../../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../fixture.js';

const WRITTEN =
  '<h1>Notes &amp; <em>more</em></h1><p>a<a href="#fn1">1</a></p><h3 id="Two">b</h3>' +
  '<p id="unused">c</p><ol><li id="fn1">d <a href="#Two">e</a></li></ol>';
const STORED =
  '<h1 id="h-notes-more">Notes &amp; <em>more</em></h1><p>a<a href="#h-fn1">1</a></p>' +
  '<h3 id="h-Two">b</h3><p>c</p><ol><li id="h-fn1">d <a href="#h-Two">e</a></li></ol>';
const TOC = [
  { id: 'h-notes-more', level: 1, text: 'Notes & more' },
  { id: 'h-Two', level: 3, text: 'b' },
];

/** 100,000 characters with many headings, and with one character more. */
const LONGEST = `${'<h2>a</h2>'.repeat(5_000)}${'<p>b</p>'.repeat(6_250)}`;

describe('the ids of an article', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  it('should be stored, and be the same after an edit with the stored text', async () => {
    const { author, editor, db } = fixture;
    const { _id } = await blogIn('draft', author, editor, { draftText: WRITTEN });
    expect(await storedBlog(db, _id)).toMatchObject({ draftText: STORED });
    const edited = await author.client.put(`/blog/author/id/${_id}`, { draftText: STORED });
    expect(edited.body.data.draftText).toBe(STORED);
  });

  it('should be in the table of contents that readers get', async () => {
    const { author, editor, client } = fixture;
    const { _id, body: sent } = await blogIn('live', author, editor, { draftText: WRITTEN });
    for (const path of [`/blog/id/${_id}`, `/blog/slug/${sent.slug}`]) {
      expect((await client.get(path)).body.data).toMatchObject({ text: STORED, toc: TOC });
    }
    const bare = await blogIn('live', author, editor, { draftText: '<p>a</p>' });
    expect((await client.get(`/blog/id/${bare._id}`)).body.data.toc).toEqual([]);
  });

  it('should be made before it is served for a text of an older policy', async () => {
    const { author, editor, client, db } = fixture;
    const { _id } = await blogIn('live', author, editor);
    const before = { text: WRITTEN, draftText: WRITTEN, htmlVersion: 2 };
    await db.collection('blogs').updateOne({ _id: new Types.ObjectId(_id) }, { $set: before });
    fixture.invalidateCaches();
    const { body } = await client.get(`/blog/id/${_id}`);
    expect(body.data).toMatchObject({ text: STORED, toc: TOC });
  });

  it('should not make a text too long, now or when it is sent again', async () => {
    expect(LONGEST).toHaveLength(100_000);
    const { client } = fixture.author;
    const created = await client.post('/blog/author', blogBody({ draftText: LONGEST }));
    expect(created.status).toBe(200);
    const { _id, draftText } = created.body.data;
    expect(draftText.length).toBeGreaterThan(150_000);
    const path = `/blog/author/id/${_id}`;
    expect((await client.put(path, { draftText })).body.data.draftText).toBe(draftText);
    expect((await client.put(path, { draftText: `${draftText}x` })).status).toBe(422);
    expect((await client.put(path, { draftText: `${LONGEST}x` })).status).toBe(422);
  });
});
