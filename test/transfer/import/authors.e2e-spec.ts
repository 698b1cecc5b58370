import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readAuthorsFile } from '../../../src/transfer/import/authors/authors-file.js';
import { openMarkdown } from '../../../src/transfer/import/markdown/markdown-source.js';
import { account } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { folderWith } from '../../support/process.js';
import { importInto } from './fixture.js';

describe('the authors of imported articles', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  const article = (slug: string, fields: string): Record<string, string> => ({
    [`${slug}.md`]: `---\ntitle: On ${slug}\ndate: 2024-01-01\n${fields}\n---\nSome words.`,
  });
  const nameOf = async (slug: string): Promise<unknown> =>
    (await server.client.get(`/blog/slug/${slug}`)).body.data?.author.name;
  const userOf = (email: string) => server.db.collection('users').findOne({ email });

  it('should get disabled accounts if only their names are known, the same in each import', async () => {
    const first = await importInto(
      server,
      await openMarkdown(
        await folderWith({ ...article('one', 'author: Ada King'), ...article('none', '') }),
        null,
      ),
    );
    expect(first).toMatchObject({
      published: 1,
      authorsByName: [{ name: 'Ada King', isNew: true }],
      skipped: [{ source: 'none.md', reason: expect.stringContaining('--author EMAIL') }],
      changed: [],
    });
    const second = await importInto(
      server,
      await openMarkdown(await folderWith(article('two', 'author: ada king and Bob')), null),
    );
    expect(second).toMatchObject({
      authorsByName: [{ email: first.authorsByName[0]?.email, isNew: false }],
      changed: [{ reason: '2 authors: the first is its author, without "Bob"' }],
    });
    expect([await nameOf('one'), await nameOf('two')]).toEqual(['Ada King', 'Ada King']);
    const user = await userOf(first.authorsByName[0]?.email ?? '');
    expect(user).toMatchObject({ name: 'Ada King', status: false });
  });

  it('should get a name that an account may have, and the report says what became of theirs', async () => {
    const given = {
      ...article('former', 'author: Former author'),
      ...article('forged', 'author: {name: "Eve\\e[1A", email: "e\\u202eve@example.org"}'),
      ...article('named', 'author: {name: "Jo\\u202ehn", email: "john@example.org"}'),
    };
    const report = await importInto(server, await openMarkdown(await folderWith(given), null));
    const reasons = report.changed.map(({ reason }) => reason);
    expect(reasons.sort()).toEqual([
      'the name "Eve\u001b[1A" is now "Eve[1A"',
      'the name "Former author" is now "Imported author"',
      'the name "Jo\u202ehn" is now "John"',
    ]);
    expect(report).toMatchObject({ published: 3, createdAuthors: ['john@example.org'] });
    expect(await nameOf('forged')).toBe('Eve[1A');
  });

  it('should not get an account that somebody else has made under the address', async () => {
    const folder = await folderWith(article('three', 'author: Eve Stone'));
    const { authorsByName } = await importInto(server, await openMarkdown(folder, null), {
      dryRun: true,
    });
    const [{ email = '' } = {}] = authorsByName;
    const body = { email, password: 'a long password', name: 'Mallory' };
    expect((await server.client.post('/auth/signup/basic', body)).status).toBe(200);
    const report = await importInto(server, await openMarkdown(folder, null));
    expect(report.authorsByName).toEqual([
      { name: 'Eve Stone', email: email.replace('@', '-2@'), isNew: true },
    ]);
    expect(await nameOf('three')).toBe('Eve Stone');
  });

  it('should be those of the file, and that of --author for the others', async () => {
    const author = await account(server, 'AUTHOR');
    const folder = await folderWith({
      ...article('four', 'author: Ada Byron\nauthors: ["@ada"]'),
      ...article('five', 'author: Someone'),
      ...article('six', `author: ${author.name}`),
      'a.yml': 'ada: {name: Ada Byron, email: byron@example.org}',
    });
    const authors = await readAuthorsFile(join(folder, 'a.yml'));
    const source = await openMarkdown(folder, null);
    const report = await importInto(server, source, { author: author.email, authors });
    expect(report).toMatchObject({
      published: 3,
      createdAuthors: ['byron@example.org'],
      authorsByName: [],
      changed: [
        {
          source: 'five.md',
          reason: 'its author "Someone" is not kept, because of --author',
        },
      ],
    });
    expect([await nameOf('four'), await nameOf('five')]).toEqual(['Ada Byron', author.name]);
  });

  it('should be those that Docusaurus keeps beside the articles', async () => {
    const folder = await folderWith({
      ...article('seven', 'authors: grace, ada\ncontributors: [Eve]'),
      'authors.yml': 'grace: {name: Grace Hopper, title: Admiral}\nada: {name: Ada}',
    });
    const report = await importInto(server, await openMarkdown(folder, null));
    expect(report).toMatchObject({
      authorsFrom: join(folder, 'authors.yml'),
      authorsByName: [{ name: 'Grace Hopper' }],
      changed: [{ reason: '3 authors: the first is its author, without "Ada", "Eve"' }],
    });
    expect(await nameOf('seven')).toBe('Grace Hopper');
  });
});
