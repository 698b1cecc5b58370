import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openGhost } from '../../../src/transfer/import/ghost/ghost-source.js';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import { openMarkdown } from '../../../src/transfer/import/markdown/markdown-source.js';
import { openWordpress } from '../../../src/transfer/import/wordpress/wordpress-source.js';
import { account, person, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { folderWith } from '../../support/process.js';
import { ghostExport, importInto, wxr, wxrItem } from './fixture.js';

const PUBLISH = '<wp:status>publish</wp:status><wp:post_type>post</wp:post_type>';

describe('importing', () => {
  let server: TestApp;
  let editor: Person;

  beforeAll(async () => {
    server = await startApp();
    editor = await person(server, 'EDITOR');
  });

  const bySlug = async (slug: string) => (await server.client.get(`/blog/slug/${slug}`)).body.data;
  const reasons = ({ changed }: ImportReport): string[] => changed.map(({ reason }) => reason);

  describe('from Markdown', () => {
    let report: ImportReport;
    let author: Pick<Person, 'email' | 'name'>;

    beforeAll(async () => {
      author = await account(server, 'AUTHOR');
      const folder = await folderWith({
        '_posts/2024-01-31-weaving.md':
          '---\ntitle: Weaving patterns\ntags: [Jacquard, "Looms of old"]\nlastmod: 2024-03-01\n---\n' +
          'The loom weaves *flowers*. ![A loom](loom.png)\n\n<script>alert(1)</script>',
        '_drafts/idea.md': '---\ntitle: An idea\n---\nNot yet.',
        'empty.md': '---\ntitle: Nothing\n---\n\n',
        'broken.md': '---\ntitle: "A\n---\nText',
        'README.md': 'About this folder.',
      });
      const source = await openMarkdown(folder, 'https://old.example/');
      report = await importInto(server, source, { author: author.email });
    });

    it('should report what became of each file', () => {
      expect(report).toMatchObject({
        published: 1,
        drafts: 1,
        alreadyThere: 0,
        createdAuthors: [],
      });
      expect(report.skipped.map(({ source }) => source)).toEqual(['broken.md', 'empty.md']);
      expect(report.counts).toEqual({
        'descriptions made of the text': 2,
        'files about a folder or a section left out': 1,
      });
      expect(report.changed).toEqual([
        { source: '_posts/2024-01-31-weaving.md', reason: 'text: 1 script removed' },
      ]);
    });

    it('should show readers the article like any other', async () => {
      expect(await bySlug('weaving')).toMatchObject({
        title: 'Weaving patterns',
        description: 'The loom weaves flowers.',
        text: expect.stringContaining('<img src="https://old.example/_posts/loom.png"'),
        tags: ['Jacquard', 'Looms of old'],
        author: { name: author.name },
        publishedAt: '2024-01-31T00:00:00.000Z',
        updatedAt: '2024-03-01T00:00:00.000Z',
      });
      const { body } = await server.client.get('/blogs/search?q=flowers+jacquard');
      expect(body.data.items[0].slug).toBe('weaving');
      const tags = await server.client.get('/blogs/tag/jacquard');
      expect(tags.body.data).toHaveLength(1);
      const counted = await server.client.get('/tags?prefix=jac');
      expect(counted.body.data).toMatchObject([{ tag: 'Jacquard', count: 1 }]);
    });

    it('should store a live article that editors can work with', async () => {
      const { _id } = await bySlug('weaving');
      const history = await editor.client.get(`/blog/editor/history/id/${_id}`);
      expect(history.body.data).toMatchObject([{ move: 'import', to: 'live', rev: 1 }]);
      const revisions = await editor.client.get(`/blog/editor/revisions/id/${_id}`);
      expect(revisions.body.data).toMatchObject([{ move: 'publish', rev: 1 }]);
      const revision = await editor.client.get(`/blog/editor/revisions/id/${_id}/1`);
      expect(revision.body.data.title).toBe('Weaving patterns');
      const { status } = await editor.client.put(`/blog/editor/unpublish/id/${_id}`);
      expect(status).toBe(200);
    });

    it('should announce nothing to the event log', async () => {
      const draft = await server.db.collection('blogs').findOne({ slug: 'idea' });
      expect(draft?.['events'][0]).not.toHaveProperty('announced');
      const live = await server.db.collection('blogs').findOne({ slug: 'weaving' });
      expect(live?.['events'][0]).not.toHaveProperty('announced');
    });
  });

  describe('from Ghost', () => {
    let report: ImportReport;

    beforeAll(async () => {
      const at = '2021-03-24T04:34:13.000Z';
      const post = (number: number, fields: object) => ({
        id: `p${number}`,
        uuid: `u-${number}`,
        title: `Post ${number}`,
        slug: `post-${number}`,
        html: '<p>Some text.</p>',
        type: 'post',
        status: 'published',
        visibility: 'public',
        created_at: at,
        updated_at: at,
        published_at: at,
        ...fields,
      });
      const folder = await folderWith({
        'ghost.json': ghostExport([
          post(1, {
            html: '<p><a href="__GHOST_URL__/about/">About</a><img src="__GHOST_URL__/a.png"></p>',
            custom_excerpt: 'Excerpt.',
            feature_image_alt: 'A press',
            feature_image_caption: 'By <em>Ada</em>',
            canonical_url: 'https://elsewhere.example/a/',
            feature_image: '__GHOST_URL__/content/b.png',
          }),
          post(2, { status: 'draft', published_at: null }),
          post(3, { status: 'scheduled' }),
          post(4, { visibility: 'paid' }),
          post(5, { type: 'page' }),
          post(6, { html: null, lexical: '{"root":{}}' }),
          post(7, { status: 'sent' }),
        ]),
      });
      const options = { baseUrl: 'https://old.example/', pages: false };
      report = await importInto(server, await openGhost(join(folder, 'ghost.json'), options));
    });

    it('should report what became of each post', () => {
      expect(report).toMatchObject({
        published: 1,
        drafts: 4,
        createdAuthors: ['ada@example.org'],
      });
      expect(report.counts['pages left out']).toBe(1);
      expect(report.skipped).toEqual([
        { source: 'post post-6', reason: expect.stringContaining('it has no HTML') },
      ]);
      expect(reasons(report)).toEqual([
        'its canonical address "https://elsewhere.example/a/" is not kept',
        '2 authors: the first is its author, without "Bob"',
        'it is scheduled: imported as a draft',
        'only for "paid" there: imported as a draft',
        'it was only sent by email: imported as a draft',
      ]);
    });

    it('should show readers the post, with absolute URLs of its former site', async () => {
      expect(await bySlug('post-1')).toMatchObject({
        text: expect.stringMatching(
          /^<figure><img src="https:\/\/old\.example\/content\/b\.png" alt="A press"[\s\S]*<em>Ada<[\s\S]*\/about\/[\s\S]*\/a\.png/,
        ),
        description: 'Excerpt.',
        imgUrl: 'https://old.example/content/b.png',
        tags: ['Looms', 'Engines'],
        author: { name: 'Ada' },
        publishedAt: '2021-03-24T04:34:13.000Z',
      });
      expect((await server.client.get('/blog/slug/post-4')).status).toBe(404);
    });

    it('should create accounts with an unknown password for the authors', async () => {
      const user = await server.db.collection('users').findOne({ email: 'ada@example.org' });
      expect(user?.['password']).toMatch(/^\$2[aby]\$/);
      const body = { email: 'ada@example.org', password: 'any password' };
      expect((await server.client.post('/auth/signin/basic', body)).status).toBe(401);
    });

    it('should refuse a file that ends early, and a folder that does not exist', async () => {
      const folder = await folderWith({ 'cut.json': ghostExport([]).slice(0, -20) });
      const options = { baseUrl: null, pages: false };
      await expect(openGhost(join(folder, 'cut.json'), options)).rejects.toThrow('ends early');
      await expect(openMarkdown('/no/such/folder', null)).rejects.toThrow('cannot be read');
    });
  });

  describe('from WordPress', () => {
    let report: ImportReport;

    beforeAll(async () => {
      const folder = await folderWith({
        'wp.xml': wxr([
          wxrItem(
            1,
            'First.\n\nSecond, with a <a href="/b">link</a>.',
            `<wp:post_name>caf%c3%a9</wp:post_name><wp:post_date_gmt>2020-05-06 07:08:09</wp:post_date_gmt>
<wp:post_modified_gmt>2020-06-01 00:00:00</wp:post_modified_gmt>${PUBLISH}
<category domain="category" nicename="a"><![CDATA[Arts &amp; Crafts]]></category>
<category domain="category" nicename="uncategorized">Uncategorized</category>
<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>
<wp:comment><wp:comment_content>Nice &b;</wp:comment_content></wp:comment>`,
          ),
          wxrItem(2, 'Text', '<wp:status>private</wp:status><wp:post_type>post</wp:post_type>'),
          wxrItem(3, 'Text', '<wp:status>trash</wp:status><wp:post_type>post</wp:post_type>'),
          wxrItem(4, 'Text', `${PUBLISH}<wp:post_password>secret</wp:post_password>`),
          wxrItem(5, 'Text', '<wp:status>publish</wp:status><wp:post_type>page</wp:post_type>'),
          wxrItem(
            9,
            '',
            '<wp:post_type>attachment</wp:post_type><wp:attachment_url>https://old.example/p.jpg</wp:attachment_url>',
          ),
        ]),
      });
      const options = { baseUrl: null, pages: false };
      report = await importInto(server, await openWordpress(join(folder, 'wp.xml'), options));
    });

    it('should report what became of each item', () => {
      expect(report).toMatchObject({ published: 1, drafts: 2, skipped: [] });
      expect(report.counts).toMatchObject({
        'comments left out': 1,
        'posts with the status "trash" left out': 1,
        'items of the type "page" left out': 1,
      });
      expect(reasons(report)).toEqual([
        expect.stringContaining('not well-formed, read on'),
        'it is private: imported as a draft',
        'it has a password: imported as a draft',
      ]);
    });

    it('should show readers the post, with its picture', async () => {
      expect(await bySlug('caf%C3%A9')).toMatchObject({
        title: 'Item & 1',
        text: expect.stringContaining('<p>First.</p>'),
        tags: ['Arts & Crafts'],
        imgUrl: 'https://old.example/p.jpg',
        publishedAt: '2020-05-06T07:08:09.000Z',
        updatedAt: '2020-06-01T00:00:00.000Z',
      });
      expect((await bySlug('caf%C3%A9')).text).toContain('href="https://old.example/b"');
    });
  });
});
