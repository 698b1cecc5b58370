import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import { openMarkdown } from '../../../src/transfer/import/markdown/markdown-source.js';
import { account, person, signIn, type Person } from '../../support/factories.js';
import { fetchPicture, pictureFile, uploaded } from '../../support/media/pictures.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { tinyPng } from '../../support/media/tiny-png.js';
import { importInto } from '../import/fixture.js';
import { articleFile, importFolder, publicText, siteWith, storedMedia } from './fixture.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>';

describe('importing pictures of a folder', () => {
  let server: TestApp;
  let author: Pick<Person, 'email' | 'name'>;

  beforeAll(async () => {
    server = await startApp();
    author = await account(server, 'AUTHOR');
  });

  const importOf = (folder: string, options: object = {}): Promise<ImportReport> =>
    importFolder(server, folder, { author: author.email, ...options });

  it('should take pictures beside the article, and those that the site serves from its root', async () => {
    const site = await siteWith({
      'content/posts/weaving/index.md': articleFile(
        'Weaving',
        '![A loom](loom.jpg "Of 1801")\n\n[![](./loom.jpg)](loom.jpg)\n\n![Yarn](/img/Yarn%20ball.png)\n\n' +
          '<figure><picture><source srcset="small.webp"><img src="../../../assets/cut.png" width="3" alt="Cut">' +
          '</picture><figcaption>A <em>cut</em></figcaption></figure>',
      ),
      'content/posts/weaving/loom.jpg': await pictureFile('jpeg', 400, 300),
      'static/img/Yarn ball.png': tinyPng(),
      'assets/cut.png': tinyPng(10, 12),
    });
    const report = await importOf(join(site, 'content/posts'));
    expect(report.changed).toEqual([]);
    expect(report.counts).toMatchObject({ 'pictures stored': 3 });
    const media = await storedMedia(server);
    expect(media).toMatchObject([
      { name: 'cut', alt: 'Cut', width: 10 },
      { name: 'loom', alt: 'A loom', width: 400 },
      { name: 'yarn-ball', alt: 'Yarn', width: 8 },
    ]);
    const [cut, loom, yarn] = media.map(({ _id, name }) => `/media/${String(_id)}/${name}`);
    const blog = await server.db.collection('blogs').findOne({ slug: 'weaving' });
    expect(blog?.['text'].split('\n').filter((line: string) => line !== '')).toEqual([
      `<p><img src="${loom}.jpg" alt="A loom" title="Of 1801" width="400" height="300" /></p>`,
      `<p><a href="${loom}.jpg"><img src="${loom}.jpg" alt="" width="400" height="300" /></a></p>`,
      `<p><img src="${yarn}.png" alt="Yarn" width="8" height="6" /></p>`,
      expect.stringContaining(`<img src="${cut}.png" alt="Cut" width="10" height="12" />`),
    ]);
    expect(blog?.['text']).toContain('<figcaption>A <em>cut</em></figcaption>');
    expect(blog?.['text']).not.toMatch(/small|srcset/);
    expect(blog?.['live'].pictures).toHaveLength(3);
    const user = await server.db.collection('users').findOne({ email: author.email });
    expect(media.every(({ owner }) => owner.equals(user?._id))).toBe(true);
    expect(media.some(({ unusedSince }) => unusedSince)).toBe(false);
    const src = /src="([^"]+\/320.jpg|[^"]+\/loom.jpg)"/.exec(await publicText(server, 'weaving'));
    const answer = await fetchPicture(server, src?.[1] ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('should leave pictures as they are that cannot be taken, and report each with its article', async () => {
    const folder = await siteWith({
      'trouble.md': articleFile(
        'Trouble',
        '![](https://old.example/web.png) ![](/gone.png) ![](/drawn.svg) ![](/page.png) ![](/cut.jpg) ' +
          '![](/fine.png) ![](/big.png)',
      ),
      'alone.md': articleFile('Alone', '![](./none.png)'),
      'drawn.svg': SVG,
      'page.png': '<!doctype html><script>alert(1)</script>',
      'cut.jpg': (await pictureFile('jpeg', 400, 300)).subarray(0, 2_000),
      'fine.png': tinyPng(),
      'big.png': Buffer.concat([tinyPng(), Buffer.alloc(21 * 1_048_576)]),
    });
    const report = await importOf(folder);
    expect(report.counts).toMatchObject({
      'pictures stored': 1,
      'pictures left on the web: --fetch takes them': 1,
    });
    const of = (source: string) =>
      report.changed.filter((line) => line.source === source).map(({ reason }) => reason);
    expect(of('trouble.md').toSorted()).toEqual([
      'picture "/big.png" is not taken: it has more than 20 MB (MEDIA_MAX_MB)',
      'picture "/cut.jpg" is not taken: the picture cannot be used: it is damaged, or not what its first bytes say',
      'picture "/drawn.svg" is not taken: the file is no picture that is taken: send JPEG, PNG, WebP, AVIF or GIF',
      'picture "/gone.png" is not taken: there is no such file',
      'picture "/page.png" is not taken: the file is no picture that is taken: send JPEG, PNG, WebP, AVIF or GIF',
    ]);
    expect(report.skipped).toMatchObject([{ source: 'alone.md' }]);
    const text = await publicText(server, 'trouble');
    for (const src of ['https://old.example/web.png', '/gone.png', '/drawn.svg', '/cut.jpg']) {
      expect(text).toContain(`<img src="${src}" alt="" />`);
    }
    expect(text).toMatch(/\/media\/[0-9a-f]{24}\/fine\.png/);
  });

  it('should read no files but those of the folder and of the folders for pictures of its site', async () => {
    const site = await siteWith({
      'posts/elsewhere.md': articleFile(
        'Elsewhere',
        '![](../secret.png) ![](/secret.png) ![](../../../../../../../../etc/passwd) ![](link.png) ![](sub/secret.png)',
      ),
      'secret.png': tinyPng(),
      'other/secret.png': tinyPng(),
    });
    await symlink(join(site, 'secret.png'), join(site, 'posts/link.png'));
    await symlink(join(site, 'other'), join(site, 'posts/sub'));
    const report = await importOf(join(site, 'posts'));
    expect(report.counts['pictures stored']).toBeUndefined();
    const missing = report.changed.filter(({ reason }) => reason.endsWith('no such file'));
    expect(missing).toHaveLength(5);
  });

  it('should store nothing in a dry run, and count the pictures', async () => {
    const folder = await siteWith({
      'dry.md': articleFile('Dry', '![](a.png) ![](b.png)'),
      'a.png': tinyPng(),
    });
    const before = await storedMedia(server);
    const report = await importOf(folder, { dryRun: true });
    expect(report.counts).toMatchObject({ 'pictures to take': 1 });
    expect(report.changed.map(({ reason }) => reason)).toContain(
      'picture "b.png" is not taken: there is no such file',
    );
    expect(await storedMedia(server)).toHaveLength(before.length);
  });

  it('should store nothing twice when an import that was interrupted is repeated', async () => {
    const folder = await siteWith({
      'again.md': articleFile('Again', '![One](one.png)'),
      'one.png': tinyPng(),
    });
    await importOf(folder);
    const [before, blogs] = [await storedMedia(server), server.db.collection('blogs')];
    // This is what a process leaves that was killed between the picture and its article.
    await blogs.deleteOne({ slug: 'again' });
    const report = await importOf(folder);
    expect(report).toMatchObject({
      published: 1,
      counts: { 'pictures that an earlier run has stored': 1 },
    });
    expect(await storedMedia(server)).toEqual(before);
    expect(await publicText(server, 'again')).toMatch(/\/media\/[0-9a-f]{24}\/one\.png/);
    expect((await importOf(folder)).alreadyThere).toBe(1);
    expect(await storedMedia(server)).toEqual(before);
  });

  it('should let the author find the pictures, and use them again', async () => {
    const client = await signIn(server.client, author.email);
    const { body } = await client.client.get('/media?mine=true&q=loom');
    expect(body.data).toMatchObject([{ name: 'loom.jpg', alt: 'A loom' }]);
  });

  it('should publish no picture of somebody else that the text names', async () => {
    const other = await person(server, 'AUTHOR');
    const secret = await uploaded(other.client);
    const folder = await siteWith({});
    const text = `Text ![A](/media/${secret._id}/a.jpg) [a](/media/${secret._id}/a.jpg)`;
    await writeFile(join(folder, 'thief.md'), articleFile('Thief', text));
    const report = await importInto(server, await openMarkdown(folder, null), {
      author: author.email,
    });
    expect(report.changed).toEqual([
      {
        source: 'thief.md',
        reason: `text: the picture ${secret._id} was left out: it is not in your library`,
      },
    ]);
    expect(await publicText(server, 'thief')).not.toContain('/media/');
    expect((await fetchPicture(server, `/media/${secret._id}/${secret.name}`)).status).toBe(404);
  });
});
