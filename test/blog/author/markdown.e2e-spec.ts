import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { textDigest } from '../../../src/blog/core/markdown/markdown-digest.js';
import { blogMigration } from '../../../src/blog/core/migration/blog.migration.js';
import { blogBody, blogIn, PASSWORD, person, unique } from '../../support/factories.js';
import { expectFieldErrors } from '../../support/checks/bad-bodies.js';
import { newPreview } from '../../support/previews.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { runAccountJobs } from '../handover/account-jobs.js';

/** Markdown of which a conversion to HTML and back would lose something. */
const SOURCE = 'Is `1 < 2`?\n\n> Yes.\n\n* a\n* b <!-- to do -->\n';
const HTML =
  '<p>Is <code>1 &lt; 2</code>?</p>\n<blockquote>\n<p>Yes.</p>\n</blockquote>\n<ul>\n<li>a</li>\n<li>b </li>\n</ul>\n';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture({
    env: { SITE_URL: 'https://site.example', SITE_LANGUAGE: 'de' },
  });
});

const create = (fields: object) => fixture.author.client.post('/blog/author', fields);
const bodyOf = (fields: object) => {
  const { draftText: _, ...others } = blogBody();
  return { ...others, ...fields };
};
const newBlog = async (fields: object = { draftMarkdown: SOURCE }): Promise<string> =>
  (await create(bodyOf(fields))).body.data._id;
const put = async (path: string, body?: object) => {
  const answer = await fixture.author.client.put(`/blog/author/${path}`, body);
  expect(answer.body).toMatchObject({ status: 200 });
  return answer.body.data;
};
const editor = async (id: string) =>
  (await fixture.editor.client.get(`/blog/editor/id/${id}`)).body.data;
const publish = async (id: string): Promise<void> => {
  await put(`submit/${id}`);
  await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
};

describe('draftMarkdown', () => {
  it('should be converted to the text, and come back as it was sent, however often it is saved', async () => {
    const { body } = await create(bodyOf({ draftMarkdown: SOURCE }));
    expect(body).not.toHaveProperty('warnings');
    expect(body.data).toMatchObject({ draftText: HTML, draftMarkdown: SOURCE });
    for (let save = 0; save < 3; save++) {
      const { draftMarkdown } = await put(`id/${body.data._id}`, { title: unique('title') });
      const saved = await put(`id/${body.data._id}`, { draftMarkdown });
      expect(saved).toMatchObject({ draftText: HTML, draftMarkdown: SOURCE });
    }
  });

  it('should have footnotes in the language of the site', async () => {
    const { body } = await create(bodyOf({ draftMarkdown: 'A[^1]\n\n[^1]: B' }));
    expect(body.data.draftText).toContain('>Fußnoten</h2>');
  });

  it('should be refused beside draftText, and replace it nowhere else', async () => {
    const both = { draftText: '<p>a</p>', draftMarkdown: 'b' };
    const error = {
      field: 'draftMarkdown',
      message: 'draftMarkdown must not stand beside draftText: send one of them',
    };
    expectFieldErrors(await create(bodyOf(both)), error);
    const id = await newBlog();
    expectFieldErrors(await fixture.author.client.put(`/blog/author/id/${id}`, both), error);
    for (const neither of [{}, { draftMarkdown: null }]) {
      expectFieldErrors(await create(bodyOf(neither)), {
        field: 'draftText',
        message: 'draftText is missing',
      });
    }
  });

  it.each<readonly [string, object, object]>([
    [
      'stay with the text when neither is sent',
      { title: 'Another' },
      { draftText: HTML, draftMarkdown: SOURCE },
    ],
    ['go when the text is sent as HTML', { draftText: '<p>a</p>' }, { draftText: '<p>a</p>' }],
    ['go alone when it is null', { draftMarkdown: null }, { draftText: HTML }],
  ])('should %s', async (_, edit, texts) => {
    const view = await put(`id/${await newBlog()}`, edit);
    const { draftText, draftMarkdown } = view;
    expect({ draftText, ...(draftMarkdown === undefined ? {} : { draftMarkdown }) }).toEqual(texts);
  });

  it.each([
    ['nothing', '', 'draftMarkdown must be 1 to 100000 characters'],
    ['too long', 'x'.repeat(100_001), 'draftMarkdown must be 1 to 100000 characters'],
    [
      'empty once converted',
      '<!-- a -->',
      'draftMarkdown must be 1 to 100000 characters after cleaning',
    ],
    [
      'nested too deeply',
      '> '.repeat(150),
      'draftMarkdown cannot be converted: its text is nested deeper than 100 levels',
    ],
    [
      'too slow to convert',
      '*a**b_'.repeat(16_000),
      'draftMarkdown cannot be converted: it takes more than 3 s: simplify it',
    ],
  ])(
    'should be refused when it is %s, and the next text be converted',
    async (_, draftMarkdown, message) => {
      const { status, body } = await create(bodyOf({ draftMarkdown }));
      expect([status, body.errors]).toEqual([422, [{ field: 'draftMarkdown', message }]]);
      expect((await create(bodyOf({ draftMarkdown: 'a' }))).body.data.draftText).toBe('<p>a</p>\n');
    },
  );

  it('should warn of what is kept as it is written, and of what cleaning removes', async () => {
    const draftMarkdown = 'A {{< gist 1 >}}\n\n<iframe src="https://v.example"></iframe>';
    const { warnings = [] } = (await create(bodyOf({ draftMarkdown }))).body;
    expect(warnings.map(({ field }) => field)).toEqual(['draftMarkdown', 'draftMarkdown']);
    expect(warnings.map(({ message }) => message).join()).toMatch(/gist.*iframe/);
  });

  it('should warn ten times at most', async () => {
    const draftMarkdown = Array.from({ length: 1_000 }, (_, n) => `{{ a${n} }}`).join(' ');
    const { warnings = [] } = (await create(bodyOf({ draftMarkdown, unknown: 1 }))).body;
    expect(warnings).toHaveLength(10);
  });

  it('should be shown with the submission, and never with what is live', async () => {
    const draftMarkdown = `Words <!-- ${unique('secret')} -->`;
    const id = await newBlog({ draftMarkdown });
    const token = await newPreview(fixture.author, 'author', id);
    await put(`submit/${id}`);
    expect(await editor(id)).toMatchObject({ draftMarkdown });
    await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
    expect(await editor(id)).not.toHaveProperty('draftMarkdown');
    const { slug } = (await fixture.client.get(`/blog/id/${id}`)).body.data;
    for (const path of [
      `/blog/id/${id}`,
      `/blog/slug/${slug}`,
      '/blogs/latest?include=text&limit=20',
      '/blogs/search?q=secret',
      `/blog/preview/${token}`,
      '/feeds/rss.xml',
      '/feeds/feed.json',
    ]) {
      const { status, text } = await fixture.client.get(path);
      expect([path, status, text.includes('secret-')]).toEqual([path, 200, false]);
    }
    const stored = await storedBlog(fixture.db, id);
    expect([stored['live'].draftMarkdown, stored['draftMarkdown']]).toEqual([
      undefined,
      draftMarkdown,
    ]);
  });

  it('should be a part of revisions and their comparison, and be restored with them', async () => {
    const id = await newBlog();
    await put(`submit/${id}`);
    const { rev } = (await fixture.author.client.get(`/blog/author/revisions/id/${id}`)).body
      .data[0];
    await put(`withdraw/${id}`);
    await put(`id/${id}`, { draftText: '<p>HTML</p>' });
    const revision = `/blog/author/revisions/id/${id}/${rev}`;
    expect((await fixture.author.client.get(revision)).body.data).toMatchObject({
      draftMarkdown: SOURCE,
    });
    const diff = `/blog/author/diff/id/${id}?from=${rev}&to=working`;
    expect((await fixture.author.client.get(diff)).body.data.fields).toEqual([
      { field: 'draftMarkdown', before: SOURCE },
    ]);
    expect(await put(`restore/id/${id}/${rev}`)).toMatchObject({
      draftText: HTML,
      draftMarkdown: SOURCE,
    });
  });

  it('should be accepted from the editor who corrects', async () => {
    const id = await newBlog();
    await put(`submit/${id}`);
    const etag =
      (await fixture.editor.client.get(`/blog/editor/id/${id}`)).headers.get('etag') ?? '';
    const { body } = await fixture.editor.client.request('PUT', `/blog/editor/id/${id}`, {
      body: { draftMarkdown: '*Now*' },
      headers: { 'if-match': etag },
    });
    expect(body.data).toMatchObject({ draftMarkdown: '*Now*', draftText: '<p><em>Now</em></p>\n' });
  });

  it('should stay when the blog is published or handed over, and go when its edit is discarded', async () => {
    const id = await newBlog();
    await publish(id);
    expect((await fixture.author.client.get(`/blog/author/id/${id}`)).body.data).toMatchObject({
      draftMarkdown: SOURCE,
    });
    await put(`id/${id}`, { draftMarkdown: 'Edited' });
    const admin = await person(fixture, 'ADMIN');
    await admin.client.put(`/admin/blogs/id/${id}/author`, { user: fixture.other._id });
    const { body } = await fixture.other.client.get(`/blog/author/id/${id}`);
    expect(body.data).toMatchObject({ draftMarkdown: 'Edited' });
    const discarded = await fixture.other.client.put(`/blog/author/discard/${id}`);
    expect(discarded.body.data).not.toHaveProperty('draftMarkdown');
  });

  it('should not make a draft of a live blog whose text stays the same', async () => {
    const id = await newBlog();
    await publish(id);
    const view = await put(`id/${id}`, { draftMarkdown: `${SOURCE}\n` });
    expect(view).toMatchObject({ drafted: false, published: true, draftMarkdown: `${SOURCE}\n` });
  });

  it('should go when an earlier version, which does not know it, writes the text', async () => {
    const id = await newBlog();
    await put(`submit/${id}`);
    const text = { draftText: '<p>Written by an earlier version</p>', htmlVersion: 3 };
    await fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, { $set: text });
    const diff = `/blog/author/diff/id/${id}?from=2&to=working`;
    expect((await fixture.author.client.get(diff)).body.data.fields).toEqual([
      { field: 'draftMarkdown', before: SOURCE },
    ]);
    await blogMigration.run(fixture.db, { dryRun: false });
    expect(await editor(id)).not.toHaveProperty('draftMarkdown');
    expect(await put(`withdraw/${id}`)).not.toHaveProperty('draftMarkdown');
  });

  it('should stay when the text is cleaned again', async () => {
    const id = await newBlog();
    const draftText = '<p onclick="x">An earlier policy kept this.</p>';
    const stored = { draftText, markdownDigest: textDigest(draftText), htmlVersion: 3 };
    const _id = new Types.ObjectId(id);
    await fixture.db.collection('blogs').updateOne({ _id }, { $set: stored });
    await blogMigration.run(fixture.db, { dryRun: false });
    const view = await put(`id/${id}`, { title: 'Another' });
    const cleaned = '<p>An earlier policy kept this.</p>';
    expect(view).toMatchObject({ draftText: cleaned, draftMarkdown: SOURCE });
  });

  it('should go with the account of the author, whose live blog stays', async () => {
    const author = await person(fixture, 'AUTHOR');
    const { _id } = await blogIn('live', author, fixture.editor);
    await author.client.put(`/blog/author/id/${_id}`, { draftMarkdown: SOURCE });
    await author.client.put(`/blog/author/submit/${_id}`);
    await fixture.editor.client.put(`/blog/editor/publish/id/${_id}`);
    expect(await storedBlog(fixture.db, _id)).toHaveProperty('draftMarkdown', SOURCE);
    await author.client.request('DELETE', '/profile/mine', { body: { password: PASSWORD } });
    await runAccountJobs(fixture);
    expect(await storedBlog(fixture.db, _id)).not.toHaveProperty('draftMarkdown');
  });
});
