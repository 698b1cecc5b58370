import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportReport } from '../../../src/transfer/import/import-report.js';
import { openMarkdown } from '../../../src/transfer/import/markdown/markdown-source.js';
import { account } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { folderWith } from '../../support/process.js';
import { importInto } from './fixture.js';

describe('importing articles that link to each other', () => {
  let server: TestApp;
  let report: ImportReport;
  let again: ImportReport;

  beforeAll(async () => {
    server = await startApp({ env: { SITE_LANGUAGE: 'de' } });
    const { email: author } = await account(server, 'AUTHOR');
    const folder = await folderWith({
      'engine.md':
        '---\ntitle: The engine\ndate: 2024-01-01\naliases: [/machine/, /2019/old-name/, /loom]\n---\n' +
        '## Its parts\n\nSee [the loom](./2024-02-03-loom.md#How-it-works), [above](#its-parts) and [[A note]].',
      '2024-02-03-loom.md':
        '---\ntitle: The loom\nredirect_from: /weaving.html\n---\n## How it works\n\n' +
        'Of [the engine](https://old.example/engine/), {% post_url 2024-02-03-loom %}.',
      'notes/A note.md':
        '---\ntitle: A note\ndate: 2024-01-01\nslug: engine\n---\nText. [[Nothing]]',
    });
    const source = await openMarkdown(folder, 'https://old.example/');
    report = await importInto(server, source, { author });
    again = await importInto(server, source, { author });
  });

  const textOf = async (slug: string): Promise<string> =>
    (await server.client.get(`/blog/slug/${slug}`)).body.data.text;

  it('should lead their links to the new addresses, and to the ids of headings', async () => {
    expect(await textOf('loom')).toContain('<a href="https://blog.example/engine">the engine</a>');
    const engine = await textOf('engine');
    expect(engine).toContain('<h2 id="h-its-parts">');
    expect(engine).toContain('<a href="#h-its-parts">above</a>');
    expect(engine).toContain('<a href="https://blog.example/loom#h-how-it-works">the loom</a>');
    expect(await textOf('loom')).toContain('<h2 id="h-how-it-works">');
    // The note has the slug of another article, so it gets another one.
    expect(engine).toContain('<a href="https://blog.example/engine-2">A note</a>');
  });

  it.each([
    ['machine', 'engine'],
    ['weaving', 'loom'],
  ])('should redirect the former slug %s to %s', async (former, slug) => {
    const { status, headers } = await server.client.get(`/blog/slug/${former}`);
    expect([status, headers.get('location')]).toEqual([301, expect.stringContaining(slug)]);
  });

  it('should list the other former addresses for redirects, in each run', () => {
    const redirects = [
      { from: '/2019/old-name/', to: 'https://blog.example/engine' },
      // It is the slug of another article.
      { from: '/loom', to: 'https://blog.example/engine' },
    ];
    expect(report.redirects).toEqual(expect.arrayContaining(redirects));
    expect(again).toMatchObject({ published: 0, alreadyThere: 3 });
    expect(again.redirects).toEqual(expect.arrayContaining(redirects));
  });

  it('should report what it could not lead anywhere', () => {
    expect(report.changed.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        'text: no imported article for the link to "Nothing"',
        'slug "engine" is that of another article: now "engine-2"',
      ]),
    );
  });

  it('should make no path of this site one of the former site', async () => {
    const bare = await startApp({ env: { SITE_URL: '' } });
    const { email: author } = await account(bare, 'AUTHOR');
    const folder = await folderWith({
      'posts/a.md': '---\ntitle: A\ndate: 2024-01-01\n---\n[b](b.md) and [c](../c/), ![p](p.png)',
      'posts/b.md': '---\ntitle: B\ndate: 2024-01-01\n---\nText',
    });
    await importInto(bare, await openMarkdown(folder, 'https://old.example/blog/'), { author });
    expect((await bare.client.get('/blog/slug/a')).body.data.text).toBe(
      '<p><a href="/b">b</a> and <a href="https://old.example/blog/c/">c</a>, ' +
        '<img src="https://old.example/blog/posts/p.png" alt="p" /></p>\n',
    );
  });

  it('should find the files that notes name, and head footnotes in the language of the site', async () => {
    const { email: author } = await account(server, 'AUTHOR');
    const folder = await folderWith({
      'notes/pictures.md':
        '---\ntitle: Pictures\ndate: 2024-01-01\n---\n![[p q.png|30]]\n\nA[^1]\n\n[^1]: B',
      'files/2024/p q.png': '',
    });
    const source = await openMarkdown(folder, 'https://old.example/');
    await importInto(server, source, { author });
    const text = await textOf('pictures');
    expect(text).toContain('src="https://old.example/files/2024/p%20q.png"');
    expect(text).toContain('>Fußnoten</h2>');
  });
});
