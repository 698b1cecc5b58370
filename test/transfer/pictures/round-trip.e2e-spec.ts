import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogIn, person, type Person } from '../../support/factories.js';
import { uploaded, type MediaAnswer } from '../../support/media/pictures.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { importFolder, storedMedia } from './fixture.js';

describe('pressroom export --markdown with pictures', () => {
  let server: TestApp;
  let folder: string;
  let author: Person;
  let shown: MediaAnswer;
  let framed: MediaAnswer;
  let drafted: MediaAnswer;
  let covering: MediaAnswer;
  let result: { code: number | string; stdout: string; stderr: string };

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
    const editor = await person(server, 'EDITOR');
    [shown, framed, drafted, covering] = await Promise.all([
      uploaded(author.client),
      uploaded(author.client, { width: 300, height: 200 }),
      uploaded(author.client),
      uploaded(author.client),
    ]);
    await blogIn('live', author, editor, {
      slug: 'shown',
      cover: { media: covering._id, alt: 'An "engine": #1', focus: { x: 0.125, y: 1 } },
      draftText:
        `<p>One <img src="/media/${shown._id}/a.jpg#focus=0.5,0.25" alt="Noise [1]" title="A &amp; B"> two.</p>` +
        `<figure><a href="/media/${framed._id}/b.jpg"><img src="/media/${framed._id}/b.jpg" alt="Framed"></a>` +
        '<figcaption>A frame</figcaption></figure>',
    });
    await blogIn('draft', author, editor, {
      slug: 'drafted',
      cover: { media: drafted._id, alt: 'Drafted' },
      draftText: `<p><img src="/media/${drafted._id}/c.jpg" alt=""></p>`,
    });
    folder = join(await temporaryFolder(), 'articles');
    const env = { MONGODB_URI: server.uri, NODE_ENV: 'test' };
    result = await runNode(['bin/pressroom.mjs', '--json', 'export', '--markdown', folder], {
      cwd: await temporaryFolder(),
      env,
    });
  }, 90_000);

  const fileOf = ({ _id, name }: MediaAnswer): string => `media/${_id}-${name}`;

  it('should write the pictures beside the articles, and link them', async () => {
    expect([result.code, JSON.parse(result.stdout)]).toMatchObject([
      0,
      { published: 1, drafts: 1, pictures: 4, missingPictures: [] },
    ]);
    expect((await readdir(join(folder, 'media'))).map((name) => `media/${name}`).sort()).toEqual(
      [shown, framed, drafted, covering].map(fileOf).sort(),
    );
    expect((await stat(join(folder, fileOf(shown)))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(folder, 'shown.md'), 'utf8');
    expect(text).toContain(`![Noise \\[1\\]](${fileOf(shown)}#focus=0.5,0.25 "A & B")`);
    expect(text).toContain(`<a href="${fileOf(framed)}"><img src="${fileOf(framed)}" alt="Framed"`);
    const draft = await readFile(join(folder, 'drafts/drafted.md'), 'utf8');
    expect(draft).toContain(`![](../${fileOf(drafted)})`);
    expect(text).toContain(
      `\nimage: ${fileOf(covering)}#focus=0.125,1\nimageAlt: 'An "engine": #1'\n`,
    );
    expect(draft).toContain(`\nimage: ../${fileOf(drafted)}\nimageAlt: Drafted\n`);
  });

  it('should bring the same articles back with import --media', async () => {
    const target = await startApp();
    const report = await importFolder(target, folder, { author: null });
    expect(report).toMatchObject({ published: 1, drafts: 1, changed: [] });
    // A picture that is written anew has nearly the same blurred form.
    const copied = { thumbhash: expect.any(String) };
    const [before, after] = await Promise.all(
      [server, target].map(async (each) => {
        const names = new Map(
          (await storedMedia(each)).map(({ _id, name }) => [String(_id), name]),
        );
        const blogs = await each.db.collection('blogs').find().sort({ slug: 1 }).toArray();
        return blogs.map(({ draftText, cover, imgUrl, live }) => ({
          cover: { ...cover, ...copied, media: names.get(cover.media) },
          liveCover: live && { ...live.cover, ...copied, media: names.get(live.cover.media) },
          imgUrl,
          text: String(draftText)
            .replace(/\/media\/([0-9a-f]{24})\//g, (_, id: string) => `/media/${names.get(id)}/`)
            .replace(/\s+/g, ' ')
            .replace(/> </g, '><')
            .trim(),
        }));
      }),
    );
    expect(after).toEqual(before);
    expect(after?.[1]?.cover).toMatchObject({ alt: 'An "engine": #1', focus: { x: 0.125, y: 1 } });
    expect(after?.[1]?.text).toMatch(
      /#focus=0\.5,0\.25" alt="Noise \[1\]" title="A &amp; B" width="800"/,
    );
  });

  it('should write the articles, and name the pictures that the library does not have', async () => {
    const media = await server.db.collection('media').findOne({ name: shown.name.slice(0, -4) });
    const file = media?.['file'];
    await server.db.collection('pictures.files').deleteOne({ _id: file });
    await server.db.collection('pictures.chunks').deleteMany({ files_id: file });
    const env = { MONGODB_URI: server.uri, NODE_ENV: 'test' };
    const dir = join(await temporaryFolder(), 'again');
    const cwd = await temporaryFolder();
    const { code, stdout } = await runNode(['bin/pressroom.mjs', 'export', '--markdown', dir], {
      cwd,
      env,
    });
    expect(code).toBe(2);
    expect(stdout).toContain(`with 3 pictures in ${dir}/media`);
    expect(stdout).toContain(`the library does not have ${dir}/${fileOf(shown)}`);
    expect(await readdir(join(dir, 'media'))).toHaveLength(3);
  }, 60_000);
});
