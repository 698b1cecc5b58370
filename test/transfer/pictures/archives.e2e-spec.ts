import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ArticleSource } from '../../../src/transfer/import/articles/imported-article.js';
import { expectKind } from '../../../src/transfer/import/files/source-kind.js';
import { openGhost } from '../../../src/transfer/import/ghost/ghost-source.js';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import { openMedium } from '../../../src/transfer/import/newsletters/medium-source.js';
import { openWordpress } from '../../../src/transfer/import/wordpress/wordpress-source.js';
import { account } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { tinyPng } from '../../support/media/tiny-png.js';
import { ghostExport, importInto, wxr, wxrItem } from '../import/fixture.js';
import { publicText, siteWith } from './fixture.js';

const AT = '2021-03-24T04:34:13.000Z';

/** Zips a folder by Python, which every machine of the tests has. @returns the path of the zip */
async function zipped(folder: string): Promise<string> {
  const zip = `${folder}.zip`;
  await promisify(execFile)('python3', ['-m', 'zipfile', '-c', zip, `${folder}/.`]);
  return zip;
}

describe('importing pictures of archives', () => {
  let server: TestApp;
  let author: string;

  beforeAll(async () => {
    server = await startApp();
    author = (await account(server, 'AUTHOR')).email;
  });

  const importOf = (source: ArticleSource): Promise<ImportReport> =>
    importInto(server, source, { author, pictures: { media: true, fetch: false } });

  const ghostPost = (number: number): string =>
    ghostExport([
      {
        id: `p${number}`,
        uuid: `pictured-${number}`,
        title: `Pictured ${number}`,
        slug: `ghost-${number}`,
        html:
          '<figure><a href="__GHOST_URL__/content/images/2021/03/a.png">' +
          '<img src="__GHOST_URL__/content/images/size/w600/2021/03/a.png" alt="A"></a><figcaption>C</figcaption></figure>' +
          '<p><img src="https://elsewhere.example/content/images/2021/03/a.png" alt=""></p>',
        type: 'post',
        status: 'published',
        visibility: 'public',
        created_at: AT,
        updated_at: AT,
        published_at: AT,
      },
    ]);

  it.each([
    ['a zip', 1, async (folder: string) => zipped(folder)],
    [
      'a file beside its pictures',
      2,
      (folder: string) => Promise.resolve(join(folder, 'ghost.json')),
    ],
  ])('should take those of Ghost from %s', async (_, number, pathOf) => {
    const folder = await siteWith({
      'ghost.json': ghostPost(number),
      'content/images/2021/03/a.png': tinyPng(),
      'content/images/2020/01/a.png': tinyPng(20, 20),
    });
    const path = await pathOf(folder);
    await expectKind(path, 'ghost');
    const options = { baseUrl: number === 1 ? null : 'https://old.example/', pages: false };
    const report = await importOf(await openGhost(path, options));
    expect(report.counts).toMatchObject({
      'pictures stored': 1,
      'pictures left on the web: --fetch takes them': 1,
    });
    const text = await publicText(server, `ghost-${number}`);
    expect(text).toMatch(
      /^<figure><a href="[^"]*\/media\/([0-9a-f]{24})\/a\.png"><img src="[^"]*\/media\/\1\/a\.png" alt="A" width="8"/,
    );
    expect(text).toContain('src="https://elsewhere.example/content/images/2021/03/a.png"');
  });

  it('should take those of WordPress from a folder beside the file, in full size', async () => {
    const upload = 'https://old.example/blog/wp-content/uploads/2020/05/cut';
    const item = wxrItem(
      1,
      `Text <a href="${upload}.png"><img src="${upload}-300x200.png" alt="Cut" width="300"></a>`,
      '<wp:post_name>wp</wp:post_name><wp:post_date_gmt>2020-05-06 07:08:09</wp:post_date_gmt>' +
        '<wp:status>publish</wp:status><wp:post_type>post</wp:post_type>',
    );
    const folder = await siteWith({
      'wp.xml': wxr([item]),
      'wp-content/uploads/2020/05/cut.png': tinyPng(60, 40),
      'wp-content/uploads/2020/05/cut-300x200.png': tinyPng(30, 20),
    });
    const options = { baseUrl: null, pages: false };
    const report = await importOf(await openWordpress(join(folder, 'wp.xml'), options));
    expect(report.counts).toMatchObject({ 'pictures stored': 1 });
    expect(await publicText(server, 'wp')).toMatch(
      /<a href="[^"]*\/media\/([0-9a-f]{24})\/cut\.png"><img src="[^"]*\/media\/\1\/cut\.png" alt="Cut" width="60"/,
    );
  });

  it('should take those of Medium from the zip', async () => {
    const name = '1*AbCdEfGhIjKlMnOp.png';
    const folder = await siteWith({
      'posts/2024-01-31_Looms-0123456789ab.html':
        '<article class="h-entry"><h1 class="p-name">Looms</h1><section class="e-content">' +
        `<h3 class="graf--title">Looms</h3><p>Text</p><img class="graf-image" src="https://cdn-images-1.medium.com/max/800/${name}">` +
        '</section><footer><time class="dt-published" datetime="2024-01-31T00:00:00.000Z"></time>' +
        '<a class="p-canonical" href="https://medium.com/@ada/looms-0123456789ab">Canonical</a></footer></article>',
      'profile/profile.html': '<p>Ada</p>',
      [`images/${name}`]: tinyPng(),
    });
    const report = await importOf(await openMedium(await zipped(folder)));
    expect(report.counts).toMatchObject({ 'pictures stored': 1 });
    expect(await publicText(server, 'looms')).toMatch(
      /\/media\/[0-9a-f]{24}\/1-abcdefghijklmnop\.png/,
    );
  });
});
