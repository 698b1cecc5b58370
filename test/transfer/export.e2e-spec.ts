import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { COLLECTION_RULES, EXPORTED } from '../../src/transfer/collection-rules.js';
import { exportMarkdown } from '../../src/transfer/export/markdown/export-markdown.js';
import { ArticlePreparer } from '../../src/transfer/import/articles/article-preparer.service.js';
import { readFileName } from '../../src/transfer/import/markdown/file-name.js';
import { readFrontMatter } from '../../src/transfer/import/markdown/front-matter.js';
import { markdownArticle } from '../../src/transfer/import/markdown/markdown-article.js';
import { blogIn, PASSWORD, person, type BlogInState } from '../support/factories.js';
import { OwnMongo } from '../support/mongo/own-mongo.js';
import { runNode } from '../support/process.js';
import { exported, onDatabase, openNewsroom, recordsOf, type Newsroom } from './fixture.js';

const noop = (): void => undefined;

/** Collections of earlier versions. */
const FORMER = ['list_changes', 'tags'];

describe('pressroom export', () => {
  let newsroom: Newsroom;
  let text: string;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    text = await exported(newsroom.server);
  });

  it('should have a rule for every collection', async () => {
    const declared = await onDatabase(newsroom.server, ({ connection }) =>
      Promise.resolve(
        Object.values(connection.models).map(({ collection }) => collection.collectionName),
      ),
    );
    const others = ['migrations', 'pictures.chunks', 'pictures.files', ...FORMER];
    expect(Object.keys(COLLECTION_RULES).sort()).toEqual([...declared, ...others].sort());
  });

  it('should contain all records of every collection that EXPORTED names', async () => {
    const counts = Object.fromEntries(
      await Promise.all(
        EXPORTED.map(async (name) => [
          name,
          await newsroom.server.db.collection(name).countDocuments(),
        ]),
      ),
    ) as Record<string, number>;
    const inText = Map.groupBy(recordsOf(text), ({ collection }) => collection);
    expect(Object.fromEntries([...inText].map(([name, { length }]) => [name, length]))).toEqual(
      Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    );
    const empty = EXPORTED.filter((name) => !inText.has(name));
    expect(empty).toEqual([
      'deleted_accounts',
      ...FORMER.filter((name) => EXPORTED.includes(name)),
    ]);
  });

  it('should contain no secret', () => {
    expect(newsroom.secrets.length).toBeGreaterThan(8);
    for (const secret of newsroom.secrets) {
      expect(secret.length).toBeGreaterThan(15);
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/\$2[aby]\$|whsec_|"(?:password|secret|keyHash|key)":/);
  });

  it('should be the same bytes each time, with sorted fields, and without fields of an older server', async () => {
    const messages = newsroom.server.db.collection('messages');
    await messages.updateOne({}, { $set: { __v: 0 } });
    expect(await exported(newsroom.server)).toBe(text);
    await messages.updateOne({}, { $unset: { __v: 1 } });
    const blog = recordsOf(text).find(({ collection }) => collection === 'blogs');
    const [first, ...others] = Object.keys(blog?.record ?? {});
    expect(first).toBe('_id');
    expect(others).toEqual([...others].sort());
  });

  it('should export a snapshot, whatever changes meanwhile', async () => {
    const { author, editor } = newsroom.people;
    const large = 'x'.repeat(70_000);
    const filler = await newsroom.server.client.post('/contact', { type: 'filler', msg: 'a' });
    const _id = filler.body.data._id as string;
    await newsroom.server.db
      .collection('messages')
      .updateOne({ type: 'filler' }, { $set: { msg: large } });
    const before = await exported(newsroom.server);
    let createdId: string | undefined;
    const during = await exported(newsroom.server, async () => {
      createdId ??= (await blogIn('draft', author, editor))._id;
    });
    expect(during).toBe(before);
    expect(during).toContain(_id);
    expect(createdId).toBeDefined();
    expect(await exported(newsroom.server)).toContain(createdId);
  });

  it('should refuse --stop while a server answers requests', async () => {
    const beats = newsroom.server.db.collection<{ _id: string }>('beats');
    const read = (): Promise<void> =>
      onDatabase(newsroom.server, (database) =>
        database.read({ isStopped: true }, () => Promise.resolve()),
      );
    await beats.updateOne(
      { _id: 'other' },
      { $set: { count: 1, at: new Date() } },
      { upsert: true },
    );
    await expect(read()).rejects.toThrow('stop the servers to read without a snapshot.');
    await beats.deleteMany({});
    await read();
  });

  it('should need --stop on a standalone', async () => {
    const mongo = await OwnMongo.createStandalone();
    const standalone = { env: newsroom.server.env, uri: mongo.uri('standalone') };
    await expect(exported(standalone)).rejects.toThrow('repeat the command with --stop');
  });

  describe('with --markdown', () => {
    let dir: string;
    let oddBlog: BlogInState;

    const write = (to: string): ReturnType<typeof exportMarkdown> =>
      onDatabase(newsroom.server, (database) =>
        database.read({ isStopped: false }, (session) =>
          exportMarkdown(database, to, session, noop),
        ),
      );
    const read = async (
      name: string,
    ): Promise<{ matter: Record<string, unknown>; text: string }> => {
      const file = await readFile(join(dir, name), 'utf8');
      const [, yaml = '', text = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(file) ?? [];
      return { matter: parse(yaml) as Record<string, unknown>, text };
    };

    beforeAll(async () => {
      dir = join(newsroom.folder, 'articles');
      const { author, editor } = newsroom.people;
      oddBlog = await blogIn('live', author, editor, {
        slug: '.htaccess',
        title: '---\n"quotes": #1 & {more}',
        draftText: '<h2>One</h2><p>a <em>b</em> &lt;c&gt;</p>',
      });
      await write(dir);
    });

    it('should write live versions, drafts in their own folder, and no trash, readable by the owner only', async () => {
      const { blogs } = newsroom;
      const live = [blogs.live, blogs['live with draft'], blogs['live in review']];
      const names = [...live.map(({ body }) => `${body.slug}.md`), `htaccess-${oddBlog._id}.md`];
      expect((await readdir(dir)).sort()).toEqual(['drafts', ...names].sort());
      const drafts = await readdir(join(dir, 'drafts'));
      const isDraft = {
        trashedAt: { $exists: false },
        $or: [{ drafted: true }, { submitted: true }],
      };
      const count = await newsroom.server.db.collection('blogs').countDocuments(isDraft);
      expect(count).toBeGreaterThan(4);
      expect(drafts).toHaveLength(count);
      expect((await stat(join(dir, 'drafts', drafts[0] ?? ''))).mode & 0o777).toBe(0o600);
      expect((await stat(dir)).mode & 0o777).toBe(0o700);
      expect(drafts).toEqual(
        expect.arrayContaining([
          ...[blogs.draft, blogs['in review']].map(({ body }) => `${body.slug}.md`),
          ...[blogs['live with draft'], blogs['live in review']].map(
            ({ pending }) => `${pending.slug}.md`,
          ),
        ]),
      );
    });

    it('should contain the live version, which the import reads with every field', async () => {
      const { server, blogs, people } = newsroom;
      const { _id, body, pending } = blogs['live with draft'];
      const { slug, draftText, ...fields } = body;
      const stored = await server.db.collection('blogs').findOne({ slug: pending.slug });
      const path = `${slug}.md`;
      // The export has milliseconds, which the import does not keep.
      const { at, updatedAt } = stored?.['live'] as { at: Date; updatedAt: Date };
      const dates = { date: at.toISOString(), lastmod: updatedAt.toISOString() };
      expect((await read(path)).matter).toMatchObject({ ...dates, id: _id });
      const file = readFrontMatter(await readFile(join(dir, path), 'utf8'));
      expect(file.body).not.toContain('<p>');
      const options = { baseUrl: null, now: new Date() };
      const article = markdownArticle(path, file, readFileName(path), options);
      expect(article).toMatchObject({
        slug,
        html: `${draftText}\n`,
        hidden: null,
        authors: [{ name: people.author.name, email: people.author.email }],
        notes: [],
      });
      const prepared = await server.app.get(ArticlePreparer).prepare(article);
      expect(prepared).toMatchObject({ copy: fields, notes: [] });
    });

    it('should mark drafts with their state', async () => {
      const { _id, pending } = newsroom.blogs['live in review'];
      const { matter } = await read(`drafts/${pending.slug}.md`);
      expect(matter).toMatchObject({ id: _id, draft: true, state: 'live in review' });
    });

    it('should write file names and titles that no program misreads', async () => {
      const { matter, text } = await read(`htaccess-${oddBlog._id}.md`);
      expect(matter).toMatchObject({ slug: '.htaccess', title: '--- "quotes": #1 & {more}' });
      expect(text).toBe('## One\n\na *b* &lt;c>\n');
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

  describe('the program', () => {
    const run = (...args: string[]): ReturnType<typeof runNode> =>
      runNode(['bin/pressroom.mjs', ...args], {
        cwd: newsroom.folder,
        env: { MONGODB_URI: newsroom.server.uri },
      });

    it('should write a file that only its owner may read, and overwrite none', async () => {
      const written = await run('--json', 'export', 'all.ndjson');
      expect(written).toMatchObject({ code: 0, stderr: '' });
      const file = join(newsroom.folder, 'all.ndjson');
      const stored = await readFile(file, 'utf8');
      const { code, stdout } = await run('export');
      expect([code, stdout]).toEqual([0, stored]);
      const records = recordsOf(stored).length;
      expect(JSON.parse(written.stdout)).toEqual({ file: 'all.ndjson', records });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await run('export', 'all.ndjson')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'all.ndjson exists: remove it, or name another file.\n',
      });
    }, 120_000);

    it('should contain nothing that a deleted account has not published', async () => {
      const { server, people } = newsroom;
      const left = await person(server, 'AUTHOR');
      const [draft, live] = [
        await blogIn('draft', left, people.editor),
        await blogIn('live with draft', left, people.editor),
      ];
      await left.client.delete('/profile/mine', { body: { password: PASSWORD } });
      const written = await run('export');
      expect(written).toMatchObject({ code: 0, stderr: '' });
      const has = [live.body, live.pending, draft.body].map(({ slug }) =>
        written.stdout.includes(`"${slug}"`),
      );
      expect(has).toEqual([true, false, false]);
    }, 60_000);
  });
});
