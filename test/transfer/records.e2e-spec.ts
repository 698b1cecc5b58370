import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { storedBlog } from '../blog/core/fixture.js';
import { account, PASSWORD, person, signIn } from '../support/factories.js';
import type { Answer } from '../support/client.js';
import { openSession } from '../support/sessions.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { exported, imported, openNewsroom, recordsOf, type Newsroom } from './fixture.js';

describe('pressroom import pressroom', () => {
  let newsroom: Newsroom;
  let text: string;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    text = await exported(newsroom.server);
  });

  describe('into an empty database', () => {
    let target: TestApp;

    beforeAll(async () => {
      target = await startApp();
      await imported(newsroom, target, text);
      target.invalidateCaches();
    });

    it('should export the same bytes again', async () => {
      expect(await exported(target)).toBe(text);
    });

    it.each(['/blogs/latest', '/tags', '/blogs/search?q=blog'])(
      'should serve the same at %s',
      async (path) => {
        const { status, body } = await newsroom.server.client.get(path);
        expect(status).toBe(200);
        expect((await target.client.get(path)).body).toEqual(body);
      },
    );

    it('should store no password, and refuse imported people at sign-in like an unknown address', async () => {
      const trySignIn = (email: string): Promise<Answer<unknown>> =>
        target.client.post('/auth/signin/basic', { email, password: PASSWORD });
      const known = await trySignIn(newsroom.people.author.email);
      const unknown = await trySignIn('nobody@example.org');
      expect(known.status).toBe(401);
      expect(known.body).toEqual(unknown.body);
      expect((await newsroom.people.author.client.get('/profile/mine')).status).toBe(200);
      const users = target.db.collection('users');
      expect(await users.findOne({ password: { $exists: true } })).toBeNull();
    });

    it.each(['history', 'revisions'])('should keep the %s', async (part) => {
      const { people, blogs } = newsroom;
      const { client } = await openSession(target, people.editor);
      const path = `/blog/editor/${part}/id/${blogs.live._id}`;
      expect((await client.get(path)).body).toEqual((await people.editor.client.get(path)).body);
    });

    it('should keep who has contributed, and since when', async () => {
      const { people, blogs } = newsroom;
      const [author, editor] = [people.author, people.editor].map(({ _id }) => _id);
      const corrected = await storedBlog(target.db, blogs['live in review']._id);
      expect(corrected['contributors'].map(String).sort()).toEqual([author, editor].sort());
      expect(await storedBlog(target.db, blogs['live with draft']._id)).toMatchObject({
        contributors: [],
        submitters: [],
        contributorsSince: expect.any(Number),
      });
    });

    it('should switch webhooks off, and say why', async () => {
      const admin = await person(target, 'ADMIN');
      const { body } = await admin.client.get('/admin/webhooks');
      expect(body.data).toEqual([
        expect.objectContaining({
          url: 'https://hooks.example/a',
          enabled: false,
          disabledReason: 'imported without its secret: make a new one, then switch it on',
        }),
      ]);
    });
  });

  it('should keep the password of an account with the same address, and the roles of other accounts', async () => {
    const target = await startApp();
    const existingAccount = await account(target, 'ADMIN');
    const { email } = newsroom.people.author;
    await target.db
      .collection('users')
      .updateOne({ email: existingAccount.email }, { $set: { email } });
    const otherAdmin = await person(target, 'ADMIN');
    await imported(newsroom, target, text);
    target.invalidateCaches();
    const signedIn = await signIn(target.client, email);
    expect(signedIn._id).toBe(newsroom.people.author._id);
    expect((await otherAdmin.client.get('/admin/users')).status).toBe(200);
    expect(await target.db.collection('roles').countDocuments()).toBe(4);
  });

  it('should write nothing in a dry run, continue after it was killed, and change nothing when repeated', async () => {
    const target = await startApp();
    const { records } = await imported(newsroom, target, text, { isDryRun: true });
    const total = recordsOf(text).length;
    expect(Object.values(records).reduce((sum, each) => sum + each)).toBe(total);
    expect(await target.db.collection('users').countDocuments()).toBe(0);
    let count = 0;
    const killed = imported(newsroom, target, text, {
      onRecords: (more) => {
        count += more;
        if (count > 30) throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const report = await imported(newsroom, target, text);
    expect(report.present).toBeGreaterThan(30);
    expect(report.present).toBeLessThan(total);
    expect(await exported(target)).toBe(text);
    expect((await imported(newsroom, target, text)).present).toBe(total);
    expect(await exported(target)).toBe(text);
  });

  describe('when it cannot import', () => {
    let target: TestApp;
    const lineOf = (collection: string): number =>
      text.split('\n').findIndex((line) => line.includes(`"collection":"${collection}"`)) + 1;
    const withChange = (
      collection: string,
      change: (record: Record<string, unknown>) => object,
    ) => {
      const lines = text.split('\n');
      const index = lineOf(collection) - 1;
      const line = JSON.parse(lines[index] ?? '') as { record: Record<string, unknown> };
      lines[index] = JSON.stringify({ ...line, record: change(line.record) });
      return lines.join('\n');
    };

    beforeAll(async () => {
      target = await startApp();
    });

    const FILES: readonly [what: string, makeText: () => string, message: () => string][] = [
      ['an empty file', () => '', () => 'import.ndjson is empty: name an export of Pressroom.'],
      [
        'a later format',
        () => text.replace('"formatVersion":1', '"formatVersion":2'),
        () =>
          'Line 1 cannot be imported: the export has the format version 2, and this version reads 1.',
      ],
      [
        'a file that ends within a line',
        () => text.slice(0, -20),
        () => 'ends within a line: it was not copied as a whole.',
      ],
      [
        'a line that is no JSON',
        () => text.replace('{"collection":"users"', '{"collection:"users"'),
        () => `Line ${lineOf('users')} cannot be imported: `,
      ],
      [
        'an undeclared field',
        () => withChange('users', (record) => ({ ...record, isRoot: true })),
        () => `Line ${lineOf('users')} cannot be imported: Field \`isRoot\` is not in schema`,
      ],
      [
        'a password',
        () => withChange('users', (record) => ({ ...record, password: 'x' })),
        () => `Line ${lineOf('users')} cannot be imported: an export holds no field "password".`,
      ],
      [
        'a query operator of MongoDB',
        () => withChange('users', (record) => ({ ...record, name: { $gt: '' } })),
        () => `Line ${lineOf('users')} cannot be imported: `,
      ],
    ];

    it.each(FILES)('should refuse %s, and write nothing', async (_, makeText, message) => {
      await expect(imported(newsroom, target, makeText())).rejects.toThrow(message());
      expect(await target.db.collection('users').countDocuments()).toBe(0);
      expect(await target.db.collection('blogs').countDocuments()).toBe(0);
    });

    it('should refuse a database with other articles', async () => {
      const other = new Types.ObjectId();
      const blogs = target.db.collection('blogs');
      await blogs.insertOne({ _id: other, slugs: ['other'] });
      await expect(imported(newsroom, target, text)).rejects.toThrow(
        /^The database has articles that are not in .*: import it into an empty database\.$/,
      );
      await blogs.deleteOne({ _id: other });
    });
  });
});
