import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { openGhost } from '../../../src/transfer/import/ghost/ghost-source.js';
import type { ArticleSource } from '../../../src/transfer/import/articles/imported-article.js';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import { openWordpress } from '../../../src/transfer/import/wordpress/wordpress-source.js';
import { account } from '../../support/factories.js';
import { fetchPicture } from '../../support/media/pictures.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { tinyPng } from '../../support/media/tiny-png.js';
import { ghostExport, importInto, wxr, wxrItem } from '../import/fixture.js';
import { importFolder, siteWith, storedMedia } from './fixture.js';

const AT = '2021-03-24T04:34:13.000Z';

/** A Markdown file of a live article with these lines in its front matter. */
const article = (title: string, lines: string, text = 'Text'): string =>
  `---\ntitle: ${title}\ndate: 2024-01-31\n${lines}\n---\n\n${text}\n`;

describe('importing the lead pictures of articles', () => {
  let server: TestApp;
  let author: string;

  beforeAll(async () => {
    server = await startApp({ env: { PUBLIC_URL: 'https://press.example' } });
    author = (await account(server, 'AUTHOR')).email;
  });

  const importOf = (
    files: Parameters<typeof siteWith>[0],
    options: object = {},
  ): Promise<ImportReport> =>
    siteWith(files).then((folder) => importFolder(server, folder, { author, ...options }));
  const importArchive = (source: ArticleSource): Promise<ImportReport> =>
    importInto(server, source, { author, pictures: { media: true, fetch: false } });
  const stored = async (slug: string): Promise<mongo.Document | null> =>
    server.db.collection('blogs').findOne({ slug });
  const reasons = ({ changed }: ImportReport): string[] => changed.map(({ reason }) => reason);

  it('should make them covers, with what the front matter says of them', async () => {
    const report = await importOf({
      'fronted.md': article('Fronted', 'image: pics/a.png#focus=0.5,0.25\nimageAlt: A\u202e loom'),
      'pics/a.png': tinyPng(10, 12),
    });
    expect(report.changed).toEqual([]);
    expect(report.counts).toMatchObject({ 'pictures stored': 1 });
    const [media] = await storedMedia(server);
    const cover = {
      media: String(media?._id),
      alt: 'A loom',
      focus: { x: 0.5, y: 0.25 },
      name: 'a',
      format: 'png',
      width: 10,
      height: 12,
      thumbhash: expect.any(String),
    };
    const blog = await stored('fronted');
    expect([blog?.['cover'], blog?.['live'].cover]).toEqual([cover, cover]);
    expect(blog).not.toHaveProperty('imgUrl');
    expect(media?.unusedSince).toBeUndefined();
    const { data } = (await server.client.get<{ imgUrl: string }>('/blog/slug/fronted')).body;
    expect(data.imgUrl).toBe(`https://press.example/media/${cover.media}/a.png`);
    expect((await fetchPicture(server, data.imgUrl)).status).toBe(200);
  });

  it.each([
    ['a focus that is none', '#focus=0.5.5,2', 'imageAlt: "\u200b"', ''],
    ['a focus outside', '#focus=2,0', '', 'In the text'],
  ])('should leave out %s, and say of it what the text says', async (_, focus, line, alt) => {
    const slug = `focus-${focus.length}`;
    await importOf({
      [`${slug}.md`]: article('Focus', `image: a.png${focus}\n${line}`, `![${alt}](a.png)`),
      'a.png': tinyPng(),
    });
    const { cover, pictures } = (await stored(slug)) ?? {};
    expect(cover).toMatchObject({ media: String(pictures[0]), alt });
    expect(cover).not.toHaveProperty('focus');
  });

  it('should take those of Ghost and WordPress, with their alternative texts', async () => {
    const post = {
      id: 'p1',
      uuid: 'led',
      title: 'Led',
      slug: 'led',
      html: '<p>Text</p>',
      type: 'post',
      status: 'published',
      visibility: 'public',
      published_at: AT,
      feature_image: '__GHOST_URL__/content/images/2021/03/a.png',
      feature_image_alt: 'An engine',
    };
    const upload = 'https://old.example/blog/wp-content/uploads/2020/05/cut.png';
    const status = (name: string, type: string): string =>
      `<wp:post_name>${name}</wp:post_name><wp:post_date_gmt>2020-05-06 07:08:09</wp:post_date_gmt>` +
      `<wp:status>publish</wp:status><wp:post_type>${type}</wp:post_type>`;
    const meta = (key: string, value: string): string =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`;
    const folder = await siteWith({
      'ghost.json': ghostExport([post]),
      'content/images/2021/03/a.png': tinyPng(),
      'wp.xml': wxr([
        wxrItem(1, 'Text', status('thumbed', 'post') + meta('_thumbnail_id', '2')),
        wxrItem(
          2,
          '',
          `${status('cut', 'attachment')}<wp:attachment_url>${upload}</wp:attachment_url>` +
            meta('_wp_attachment_image_alt', 'A cut'),
        ),
      ]),
      'wp-content/uploads/2020/05/cut.png': tinyPng(60, 40),
    });
    const options = { baseUrl: null, pages: false };
    const sources = [
      await openGhost(join(folder, 'ghost.json'), options),
      await openWordpress(join(folder, 'wp.xml'), options),
    ];
    for (const source of sources) {
      expect((await importArchive(source)).counts).toMatchObject({ 'pictures stored': 1 });
    }
    expect((await stored('led'))?.['live'].cover).toMatchObject({ name: 'a', alt: 'An engine' });
    expect((await stored('thumbed'))?.['live'].cover).toMatchObject({ name: 'cut', alt: 'A cut' });
  });

  it('should keep the address of one that cannot be taken, and report it once', async () => {
    const files = {
      'damaged.md': article('Damaged', 'image: page.png', 'Text ![](page.png)'),
      'gone.md': article('Gone', 'image: gone.png#focus=0.5,0.5', 'Text ![](gone.png)'),
      'page.png': '<!doctype html>',
    };
    const at = (slug: string) => ({ [`${slug}.md`]: article(slug, 'image: /page.png') });
    const told = [
      'picture "page.png" is not taken: the file is no picture that is taken: send JPEG, PNG, WebP, AVIF or GIF',
      'picture "gone.png" is not taken: there is no such file',
    ];
    const dry = await importOf(files, { dryRun: true });
    expect(reasons(dry).filter((reason) => reason.startsWith('picture'))).toEqual(told.slice(1));
    const report = await importOf(files);
    expect(reasons(report).filter((reason) => reason.startsWith('picture'))).toEqual(told);
    for (const slug of ['damaged', 'gone']) {
      const blog = await stored(slug);
      expect([blog?.['imgUrl'], blog?.['cover']]).toEqual([undefined, undefined]);
    }
    const baseUrl = 'https://old.example/';
    await importOf({ ...at('addressed'), 'page.png': files['page.png'] }, { baseUrl });
    expect(await stored('addressed')).toMatchObject({ imgUrl: 'https://old.example/page.png' });
    const web = article('Web', 'image: https://else.example/a.png');
    expect((await importOf({ 'web.md': web })).counts).toMatchObject({
      'pictures left on the web: --fetch takes them': 1,
    });
    expect(await stored('web')).toMatchObject({ imgUrl: 'https://else.example/a.png' });
  });

  it('should count them in a dry run, and store nothing twice', async () => {
    const folder = await siteWith({
      'again.md': article('Again', 'cover: one.png', '![One](one.png)'),
      'one.png': tinyPng(),
    });
    const run = (options: object = {}) => importFolder(server, folder, { author, ...options });
    const none = await storedMedia(server);
    expect((await run({ dryRun: true })).counts).toMatchObject({ 'pictures to take': 1 });
    expect(await storedMedia(server)).toEqual(none);
    expect((await run()).counts).toMatchObject({ 'pictures stored': 1 });
    const [before, first] = [await storedMedia(server), await stored('again')];
    expect((await run()).alreadyThere).toBe(1);
    await server.db.collection('blogs').deleteOne({ slug: 'again' });
    expect((await run()).counts).toMatchObject({ 'pictures that an earlier run has stored': 1 });
    expect(await storedMedia(server)).toEqual(before);
    expect((await stored('again'))?.['cover']).toEqual(first?.['cover']);
  });
});
