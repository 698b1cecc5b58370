import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ArticlePreparer } from '../../src/transfer/import/articles/article-preparer.service.js';
import { readFileName } from '../../src/transfer/import/markdown/file-name.js';
import { readFrontMatter } from '../../src/transfer/import/markdown/front-matter.js';
import { markdownArticle } from '../../src/transfer/import/markdown/markdown-article.js';
import { exportMarkdown } from '../../src/transfer/export/markdown/export-markdown.js';
import { blogIn, type BlogInState } from '../support/factories.js';
import { onDatabase, openNewsroom, type Newsroom } from './fixture.js';

const nothing = (): void => undefined;

describe('pressroom export --markdown', () => {
  let newsroom: Newsroom;
  let dir: string;
  let odd: BlogInState;

  const write = (to: string): Promise<{ published: number; drafts: number }> =>
    onDatabase(newsroom.server, (database) =>
      database.read({ isStopped: false }, (session) =>
        exportMarkdown(database, to, session, nothing),
      ),
    );
  const read = async (name: string): Promise<{ matter: Record<string, unknown>; text: string }> => {
    const file = await readFile(join(dir, name), 'utf8');
    const [, yaml = '', text = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(file) ?? [];
    return { matter: parse(yaml) as Record<string, unknown>, text };
  };

  beforeAll(async () => {
    newsroom = await openNewsroom();
    dir = join(newsroom.folder, 'articles');
    const { author, editor } = newsroom.people;
    odd = await blogIn('live', author, editor, {
      slug: '.htaccess',
      title: '---\n"quotes": #1 & {more}',
      draftText: '<h2>One</h2><p>a <em>b</em> &lt;c&gt;</p>',
    });
    await write(dir);
  });

  it('should write what is live, and drafts beside it, and no trash', async () => {
    const { blogs } = newsroom;
    const live = [blogs.live, blogs['live with draft'], blogs['live in review']];
    const names = [...live.map(({ body }) => `${body.slug}.md`), `htaccess-${odd._id}.md`];
    expect((await readdir(dir)).sort()).toEqual(['drafts', ...names].sort());
    const drafts = await readdir(join(dir, 'drafts'));
    expect(drafts).toHaveLength(5);
    expect(drafts).toEqual(
      expect.arrayContaining([
        ...[blogs.draft, blogs['in review']].map(({ body }) => `${body.slug}.md`),
        ...[blogs['live with draft'], blogs['live in review']].map(
          ({ pending }) => `${pending.slug}.md`,
        ),
      ]),
    );
  });

  it('should hold the live version, with its times and its author', async () => {
    const { author } = newsroom.people;
    const { _id, body } = newsroom.blogs['live with draft'];
    const { matter, text } = await read(`${body.slug}.md`);
    const { live } = (await newsroom.server.db
      .collection('blogs')
      .findOne({ slug: newsroom.blogs['live with draft'].pending.slug })) as unknown as {
      live: { at: Date; updatedAt: Date };
    };
    expect(matter).toEqual({
      title: body.title,
      description: body.description,
      date: live.at.toISOString(),
      lastmod: live.updatedAt.toISOString(),
      tags: body.tags,
      draft: false,
      slug: body.slug,
      image: body.imgUrl,
      author: { name: author.name, email: author.email },
      id: _id,
    });
    expect(text).not.toContain('<p>');
  });

  it('should be read by the import with every field', async () => {
    const { server, blogs } = newsroom;
    const { slug, draftText, ...fields } = blogs['live with draft'].body;
    const path = `${slug}.md`;
    const file = readFrontMatter(await readFile(join(dir, path), 'utf8'));
    const options = { baseUrl: null, now: new Date() };
    const article = markdownArticle(path, file, readFileName(path), options);
    expect(article).toMatchObject({ slug, html: `${draftText}\n`, isPublished: true, notes: [] });
    const prepared = await server.app.get(ArticlePreparer).prepare(article);
    expect(prepared).toMatchObject({ copy: fields, notes: [] });
  });

  it('should mark drafts with their state', async () => {
    const { _id, pending } = newsroom.blogs['live in review'];
    const { matter } = await read(`drafts/${pending.slug}.md`);
    expect(matter).toMatchObject({ id: _id, draft: true, state: 'live in review' });
  });

  it('should write names and titles that no reader of files takes for something else', async () => {
    const { matter, text } = await read(`htaccess-${odd._id}.md`);
    expect(matter).toMatchObject({ slug: '.htaccess', title: '---\n"quotes": #1 & {more}' });
    expect(text).toBe('## One\n\na *b* &lt;c>\n');
  });

  it('should write files for their owner alone', async () => {
    const [name = ''] = await readdir(join(dir, 'drafts'));
    expect((await stat(join(dir, 'drafts', name))).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  it('should refuse a folder that is not empty', async () => {
    await expect(write(dir)).rejects.toThrow(`${dir} is not empty: name a new folder.`);
    const other = join(newsroom.folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'a.txt'), 'mine');
    await expect(write(other)).rejects.toThrow('is not empty');
    await expect(write(join(other, 'a.txt'))).rejects.toThrow('cannot be used');
  });
});
