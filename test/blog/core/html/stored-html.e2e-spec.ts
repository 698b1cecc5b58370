import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { HTML_VERSION, htmlVersionOf } from '../../../../src/blog/core/html/clean-html.js';
import { MigrationService } from '../../../../src/platform/database/migrations/migration.service.js';
import type { Client } from '../../../support/client.js';
import { blogBody, blogIn } from '../../../support/factories.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../fixture.js';

const UNCLEAN =
  '<h1 onclick="steal()">Hello</h1><script>steal()</script><p style="color:red">text ' +
  '<a href="javascript:steal()">link</a><img src="//evil.example/x.png" onerror="steal()">' +
  '<iframe src="https://evil.example"></iframe></p>';
const CLEAN = '<h1 id="h-hello">Hello</h1><p>text <a>link</a></p>';
const WARNINGS = [
  '1 iframe removed',
  '1 img removed: only http, https and /path URLs are allowed',
  '1 link URL removed: only http, https, mailto, tel, /path and #id are allowed',
  '1 script removed',
  'event handlers on 1 element removed',
  'style on 1 element removed',
];

const WITH_IDS =
  '<h1>Notes &amp; <em>more</em></h1><p>a<a href="#fn1">1</a></p><h3 id="Two">b</h3>' +
  '<p id="unused">c</p><ol><li id="fn1">d <a href="#Two">e</a></li></ol>';
const STORED_IDS =
  '<h1 id="h-notes-more">Notes &amp; <em>more</em></h1><p>a<a href="#h-fn1">1</a></p>' +
  '<h3 id="h-Two">b</h3><p>c</p><ol><li id="h-fn1">d <a href="#h-Two">e</a></li></ol>';
const TOC = [
  { id: 'h-notes-more', level: 1, text: 'Notes & more' },
  { id: 'h-Two', level: 3, text: 'b' },
];

/** 100,000 characters, the maximum, with 5,000 headings, each of which gets an id. */
const LONGEST_TEXT = `${'<h2>a</h2>'.repeat(5_000)}${'<p>b</p>'.repeat(6_250)}`;

const HOST = 'player.example';
const PLAYER_AS_SENT = `<p>a</p><iframe src="https://${HOST}/b"></iframe>`;
const PLAYER_AS_STORED =
  `<p>a</p><iframe src="https://${HOST}/b" sandbox="allow-scripts allow-same-origin ` +
  'allow-presentation allow-popups" loading="lazy"></iframe>';
const WITHOUT_IFRAME = '<p>a</p>';

const warning = (message: unknown) => ({ field: 'draftText', message });

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

const create = (draftText: string) =>
  fixture.author.client.post('/blog/author', blogBody({ draftText }));

/** Stores a live blog with a draft; like an older version, it cleans neither text. @returns the id of the blog */
async function storeUnclean(text: string, draftText = text): Promise<string> {
  const { author, editor, db } = fixture;
  const { _id } = await blogIn('live with draft', author, editor);
  const $set = { text, draftText, htmlVersion: 0 };
  await db.collection('blogs').updateOne({ _id: new Types.ObjectId(_id) }, { $set });
  fixture.invalidateCaches();
  return _id;
}

describe('the HTML of a blog', () => {
  /** `draftText` and `text` as the author, the editor and the reader get them. */
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
    const created = await create(UNCLEAN);
    const { _id } = created.body.data;
    expect(created.body.data.draftText).toBe(CLEAN);
    await author.client.put(`/blog/author/submit/${_id}`);
    await editor.client.put(`/blog/editor/publish/id/${_id}`);
    expect(await texts(_id)).toEqual([CLEAN, CLEAN, CLEAN, CLEAN, undefined, CLEAN]);
    const edited = await author.client.put(`/blog/author/id/${_id}`, { draftText: `${UNCLEAN}!` });
    expect(edited.body.data).toMatchObject({ draftText: `${CLEAN}!`, text: CLEAN });
    expect(await storedBlog(db, _id)).toMatchObject({ draftText: `${CLEAN}!`, text: CLEAN });
  });

  it('should lose no text without a word, however often it is saved', async () => {
    const sent =
      '<p>a</p><iframe src="https://evil.example/" /><object>b c</object><pre>\n\nd</pre><p>e <f@x.example></p>';
    const stored = '<p>a</p><pre>\n\nd</pre><p>e &lt;f@x.example&gt;</p>';
    const { body } = await create(sent);
    expect(body.data.draftText).toBe(stored);
    expect(body.warnings).toEqual(
      ['1 iframe removed', '1 object removed, with 2 words'].map(warning),
    );
    for (const title of ['Saved again', 'Saved a third time']) {
      const path = `/blog/author/id/${body.data._id}`;
      const saved = await fixture.author.client.put(path, { title, draftText: stored });
      expect([saved.body.data.draftText, saved.body.warnings]).toEqual([stored, undefined]);
    }
  });

  it('should say in its last warning what ten warnings cannot name', async () => {
    const tags = 'form big center tt strike nobr marquee blink acronym dialog svg object'.split(
      ' ',
    );
    const { body } = await create(tags.map((tag) => `<${tag}>word</${tag}>`).join('<br>'));
    expect(body.warnings).toHaveLength(10);
    expect(body.warnings?.at(-1)).toEqual(
      warning('and 3 more kinds of markup removed, with 1 word'),
    );
  });

  it('should be left as it is in title, description and tags', async () => {
    const plain = '<b>bold</b> & "quoted"';
    const fields = { title: plain, description: plain, tags: [plain] };
    const { _id } = await blogIn('live', fixture.author, fixture.editor, fields);
    const { body } = await fixture.client.get(`/blog/id/${_id}`);
    expect(body.data).toMatchObject(fields);
  });

  it('should be cleaned on reading if it was stored under an older policy', async () => {
    const _id = await storeUnclean(UNCLEAN, `${UNCLEAN}!`);
    expect(await texts(_id)).toEqual([`${CLEAN}!`, CLEAN, CLEAN, CLEAN, undefined, CLEAN]);
  });

  it('should still be cleaned on reading after an edit of the draft alone', async () => {
    const { author, editor } = fixture;
    const _id = await storeUnclean(UNCLEAN);
    const path = `/blog/author/id/${_id}`;
    const edited = await author.client.put(path, { draftText: '<p>new</p>' });
    expect(edited.body.data).toMatchObject({ draftText: '<p>new</p>', text: CLEAN });
    expect(await texts(_id)).toEqual(['<p>new</p>', CLEAN, CLEAN, CLEAN, undefined, CLEAN]);
    const discarded = await author.client.put(`/blog/author/discard/${_id}`);
    expect(discarded.body.data).toMatchObject({ draftText: CLEAN, text: CLEAN });
    await author.client.put(path, { draftText: '<p>newer</p>' });
    await author.client.put(`/blog/author/submit/${_id}`);
    const { body } = await editor.client.put(`/blog/editor/publish/id/${_id}`);
    expect(body.data).toMatchObject({ draftText: '<p>newer</p>', text: '<p>newer</p>' });
  });
});

describe('the ids of an article', () => {
  it('should be stored, stay the same in an edit, and be in the table of contents', async () => {
    const { author, editor, client, db } = fixture;
    const { _id, body } = await blogIn('live', author, editor, { draftText: WITH_IDS });
    expect(await storedBlog(db, _id)).toMatchObject({ draftText: STORED_IDS });
    for (const path of [`/blog/id/${_id}`, `/blog/slug/${body.slug}`]) {
      expect((await client.get(path)).body.data).toMatchObject({ text: STORED_IDS, toc: TOC });
    }
    const edited = await author.client.put(`/blog/author/id/${_id}`, { draftText: STORED_IDS });
    expect(edited.body.data.draftText).toBe(STORED_IDS);
  });

  it('should be generated on reading for a text stored under an older policy', async () => {
    const { body } = await fixture.client.get(`/blog/id/${await storeUnclean(WITH_IDS)}`);
    expect(body.data).toMatchObject({ text: STORED_IDS, toc: TOC });
  });

  it('should not count towards the maximum length, even when the text is sent again', async () => {
    expect(LONGEST_TEXT).toHaveLength(100_000);
    const { client } = fixture.author;
    const created = await create(LONGEST_TEXT);
    expect(created.status).toBe(200);
    const { _id, draftText } = created.body.data;
    expect(draftText.length).toBeGreaterThan(150_000);
    const path = `/blog/author/id/${_id}`;
    expect((await client.put(path, { draftText })).body.data.draftText).toBe(draftText);
    expect((await client.put(path, { draftText: `${draftText}x` })).status).toBe(422);
    expect((await client.put(path, { draftText: `${LONGEST_TEXT}x` })).status).toBe(422);
  });
});

// removals.spec.ts proves the warnings, and html-cleaner.spec.ts that the worker thread returns them.
describe('the warnings of a write', () => {
  it('should tell what was removed from the text of a new blog and of an edit', async () => {
    const { client } = fixture.author;
    const created = await create(UNCLEAN);
    expect(created.body.warnings).toEqual(WARNINGS.map(warning));
    const { _id } = created.body.data;
    const idInPath = await client.put(`/blog/author/id/${_id}`, { draftText: UNCLEAN });
    const idInBody = await client.put('/blog/author', { _id, draftText: UNCLEAN });
    expect([idInPath.body.warnings, idInBody.body.warnings]).toEqual(
      Array(2).fill(created.body.warnings),
    );
  });

  it('should be absent if nothing was removed or no text was sent', async () => {
    const created = await create('<p class="a" id="b" data-c="d">e<!-- f --><br></p>');
    expect(created.body).not.toHaveProperty('warnings');
    const path = `/blog/author/id/${created.body.data._id}`;
    const { client } = fixture.author;
    expect((await client.put(path, { title: 'Another' })).body).not.toHaveProperty('warnings');
    expect((await client.get(path)).body).not.toHaveProperty('warnings');
  });
});

// html-cleaner.spec.ts proves what the worker thread does, and what happens to texts when it dies.
describe('a text that exceeds the queue of the worker thread', () => {
  it('should be refused and not stored, and the next text be accepted', async () => {
    const { author, db } = fixture;
    const draftText = '<p>one of many</p>'.repeat(17_000);
    const bodies = Array.from({ length: 12 }, () => blogBody({ draftText }));
    const answers = await Promise.all(
      bodies.map((body) => author.client.post('/blog/author', body)),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(body).toEqual({
        code: '10002',
        status: 503,
        message: 'too many long texts are being cleaned: try again in a moment',
        reason: 'overloaded',
      });
    }
    // Six texts of this length may wait. They get 422, as they are too long even after cleaning.
    const others = answers.filter((answer) => !refused.includes(answer));
    expect(others.length).toBeGreaterThanOrEqual(6);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([422]));
    const slugs = bodies.map(({ slug }) => slug);
    expect(await db.collection('blogs').countDocuments({ slug: { $in: slugs } })).toBe(0);
    expect((await create('<p>later</p>'.repeat(2_500))).status).toBe(200);
  });
});

describe('an embedded player', () => {
  /** A server on the same database that lists HOST in EMBED_HOSTS. */
  let embedding: TestApp;

  beforeAll(async () => {
    embedding = await startApp({ uri: fixture.uri, env: { EMBED_HOSTS: HOST } });
  });

  const blogOn = ({ url }: TestApp) => {
    const [author, editor] = [fixture.author, fixture.editor].map(({ client }) => client.at(url));
    return blogIn('live', { client: author! }, { client: editor! }, { draftText: PLAYER_AS_SENT });
  };

  /** The author's `draftText` of a live blog, then `text` as author, editor and reader get it. */
  async function served({ url }: TestApp, _id: string): Promise<unknown[]> {
    const { author, editor, client } = fixture;
    const own = await author.client.at(url).get(`/blog/author/id/${_id}`);
    const reviewed = await editor.client.at(url).get(`/blog/editor/id/${_id}`);
    const live = await client.at(url).get(`/blog/id/${_id}`);
    return [own.body.data.draftText, ...[own, reviewed, live].map(({ body }) => body.data.text)];
  }

  const migrate = async ({ app }: TestApp) =>
    (await app.get(MigrationService).run({ dryRun: false })).changed;

  it('should be served by a server that lists its host, and removed by one that does not', async () => {
    const { db } = fixture;
    const { _id } = await blogOn(embedding);
    expect(await storedBlog(db, _id)).toMatchObject({
      draftText: PLAYER_AS_STORED,
      text: PLAYER_AS_STORED,
      htmlVersion: htmlVersionOf([HOST]),
    });
    expect(await served(embedding, _id)).toEqual(Array(4).fill(PLAYER_AS_STORED));
    expect(await served(fixture, _id)).toEqual(Array(4).fill(WITHOUT_IFRAME));
  });

  it.each([
    ['host listed for the edit only', () => [fixture, embedding]],
    ['host listed until the edit', () => [embedding, fixture]],
  ])(
    'should be cleaned on reading if draft and text were stored under different policies: %s',
    async (_, servers) => {
      const { author, db } = fixture;
      const [first, second] = servers() as [TestApp, TestApp];
      const { _id } = await blogOn(first);
      const edit = { draftText: `${PLAYER_AS_SENT}!` };
      await author.client.at(second.url).put(`/blog/author/id/${_id}`, edit);
      expect(await storedBlog(db, _id)).toMatchObject({ htmlVersion: 0 });
      expect(await served(fixture, _id)).toEqual([
        `${WITHOUT_IFRAME}!`,
        ...Array<string>(3).fill(WITHOUT_IFRAME),
      ]);
      // An iframe that was removed before its text was stored does not come back.
      const shown = await served(embedding, _id);
      expect(shown.filter((text) => String(text).includes('<iframe'))).toHaveLength(
        first === embedding ? 3 : 1,
      );
    },
  );

  it('should be removed by a migration once its host is no longer listed', async () => {
    const { db } = fixture;
    const { _id } = await blogOn(embedding);
    expect(await migrate(fixture)).toContainEqual(expect.stringContaining('HTML cleaned'));
    const cleaned = { draftText: WITHOUT_IFRAME, text: WITHOUT_IFRAME, htmlVersion: HTML_VERSION };
    expect(await storedBlog(db, _id)).toMatchObject(cleaned);
    expect(await migrate(fixture)).toEqual([]);
    await migrate(embedding);
    const { htmlVersion } = await storedBlog(db, _id);
    expect(htmlVersion).toBe(htmlVersionOf([HOST]));
    expect(await served(embedding, _id)).toEqual(Array(4).fill(WITHOUT_IFRAME));
  });
});
