import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { hashApiKey } from '../../../src/apikey/api-key.js';
import { connect, freshDatabaseUri } from '../../support/mongo/mongo.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import { signIn } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY } from '../../support/time/clock.js';
import type { Client } from '../../support/client.js';

const SEED = {
  API_KEY: 'a-key-for-the-seed',
  ADMIN_EMAIL: 'Boss@Example.org',
  ADMIN_PASSWORD: 'a long enough password',
};

describe('the scripts on an external database', () => {
  let folder: string;
  let uri: string;
  let db: mongo.Db;

  const run = (
    script: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): ReturnType<typeof runNode> =>
    runNode(['bin/pressroom.mjs', script, ...args], {
      cwd: folder,
      env: { MONGODB_URI: uri, ...env },
    });

  beforeAll(async () => {
    folder = await temporaryFolder();
    uri = freshDatabaseUri();
    db = (await connect(uri)).db();
  });

  it('should write nothing in a dry run', async () => {
    const { code, stdout } = await run('migrate', ['--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('role LEARNER added');
    expect(await db.listCollections().toArray()).toEqual([]);
  });

  it('should refuse to seed an admin without a password, and write nothing', async () => {
    const { code, stderr } = await run('seed', [], { ADMIN_EMAIL: 'a@example.org' });
    expect(code).toBe(1);
    expect(stderr).toBe('Set ADMIN_PASSWORD as well, or neither: then the seed makes no admin.\n');
    expect(await db.listCollections().toArray()).toEqual([]);
  });

  it('should hash plain API keys only with --hash-keys, but never a key that is stored hashed as well', async () => {
    const plain = 'a-key-of-an-older-server';
    const keys = db.collection('api_keys');
    await keys.insertOne({ key: plain, status: true, comments: ['web'] });
    for (const args of [['--dry-run', '--hash-keys'], []]) {
      const { code, stdout } = await run('migrate', args);
      expect([code, stdout.includes('  1 API key: hashed\n')]).toEqual([0, args.length > 0]);
      expect(await keys.findOne({ key: plain })).not.toBeNull();
    }
    const { code, stdout } = await run('migrate', ['--hash-keys']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('  1 API key: hashed\n')]);
    const stored = await keys.findOne({ comments: 'web' });
    const hashed = { keyHash: hashApiKey(plain), prefix: plain.slice(0, 8) };
    expect(stored).toEqual({ _id: stored?._id, ...hashed, status: true, comments: ['web'] });

    await keys.insertOne({ key: plain, status: true });
    const again = await run('migrate', ['--hash-keys']);
    expect(again.code).toBe(2);
    expect(again.stdout).not.toContain('hashed\n');
    expect(again.stdout).toMatch(
      /Left to you:\n {2}api key [0-9a-f]{24}: stored hashed as well; delete/,
    );
    expect(await keys.countDocuments({ key: plain })).toBe(1);
    await keys.deleteMany();
  });

  it('should seed roles, key and admin, and change nothing the second time', async () => {
    const first = await run('seed', [], SEED);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe('API key: inserted\nAdmin boss@example.org: inserted\n');
    const snapshot = async (): Promise<unknown> => ({
      users: await db.collection('users').find().toArray(),
      roles: await db.collection('roles').find().toArray(),
      keys: await db.collection('api_keys').find().toArray(),
    });
    const before = await snapshot();
    const second = await run('seed', [], { ...SEED, ADMIN_PASSWORD: 'another password' });
    expect(second.stdout).toBe('API key: already there\nAdmin boss@example.org: already there\n');
    expect(await snapshot()).toEqual(before);
    const keys = await db.collection('api_keys').find().toArray();
    expect(keys).toEqual([expect.objectContaining({ keyHash: hashApiKey(SEED.API_KEY) })]);
    expect(JSON.stringify(keys)).not.toContain(SEED.API_KEY);
  });

  it('should leave it to the operator to give an existing account the role ADMIN', async () => {
    const users = db.collection('users');
    const boss = { email: 'boss@example.org' };
    const before = await users.findOneAndUpdate(boss, { $set: { roles: [] } });
    const { code, stdout } = await run('seed', [], SEED);
    await users.updateOne(boss, { $set: { roles: before?.['roles'] } });
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining('npx pressroom users roles boss@example.org LEARNER'),
    ]);
  });

  it('should create an API key when none is given, and say how to create an admin', async () => {
    const emptyDatabase = { MONGODB_URI: freshDatabaseUri() };
    const first = await run('seed', ['--json'], emptyDatabase);
    const { created, leftToYou } = JSON.parse(first.stdout);
    expect([first.code, leftToYou]).toEqual([2, [expect.stringContaining('users create')]]);
    const stored = (await connect(emptyDatabase.MONGODB_URI)).db().collection('api_keys');
    expect(await stored.findOne({ keyHash: hashApiKey(created.apiKey) })).not.toBeNull();
    await run('seed', [], emptyDatabase);
    expect(await stored.countDocuments()).toBe(1);
  });

  it('should warn of an admin with a common password', async () => {
    const admin = { ADMIN_EMAIL: 'careless@example.org', ADMIN_PASSWORD: 'Password1' };
    const { code, stderr } = await run('seed', [], { ...SEED, ...admin });
    await db.collection('users').deleteOne({ email: admin.ADMIN_EMAIL });
    expect(code).toBe(0);
    expect(stderr).toBe('ADMIN_PASSWORD is one of the most common passwords: change it at once\n');
  });

  describe('seed --demo', () => {
    let server: TestApp;
    let author: Client;
    let editor: Client;

    // Tests read the fields that they expect.
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const read = async (client: Client, path: string): Promise<any> =>
      (await client.get(path)).body.data;

    beforeAll(async () => {
      const first = await run('seed', ['--demo'], SEED);
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(first.stdout).toContain('Demo: 4 people and 13 articles inserted');
      const password = /shown once: (\S+)/.exec(first.stdout)?.[1] ?? '';
      server = await startApp({ uri });
      author = (await signIn(server.client, 'ines@pressroom.example', password)).client;
      editor = (await signIn(server.client, 'wen@pressroom.example', password)).client;
    });

    afterAll(() => server.close());

    it('should make articles in all five states and in the trash, once', async () => {
      const blogs = () => db.collection('blogs').find().toArray();
      const before = await blogs();
      const states = before.map(({ submitted, drafted, published }) =>
        JSON.stringify({ submitted, drafted, published }),
      );
      expect(new Set(states).size).toBe(6);
      const trash = await read(author, '/blog/author/trash');
      expect(trash).toMatchObject([{ slug: 'our-newsletter-is-coming' }]);
      const second = await run('seed', ['--demo'], SEED);
      expect(second.stdout).toContain('Demo: 0 people and 0 articles inserted');
      expect(await blogs()).toEqual(before);
    });

    it('should make an article that was returned with a reason, and has a comment thread', async () => {
      const drafts = await read(author, '/blog/author/drafts');
      const { _id } = drafts.find(
        ({ slug }: { slug: string }) => slug === 'a-checklist-before-you-submit',
      );
      expect(await read(author, `/blog/author/id/${_id}`)).toMatchObject({
        returned: { note: expect.stringMatching(/^Nearly there/), by: { name: 'Wen Zhao' } },
      });
      expect(await read(author, `/blog/author/comments/id/${_id}`)).toMatchObject([
        { by: { name: 'Wen Zhao' }, resolved: true, quoteFound: true },
        { by: { name: 'Ines Moreau' }, resolved: false, replyTo: expect.any(String) },
        { by: { name: 'Wen Zhao' }, resolved: false, quoteFound: true },
      ]);
    });

    it('should make an article that is to be published in five days', async () => {
      const [{ publishAt }, ...others] = await read(editor, '/blog/editor/scheduled');
      expect(others).toEqual([]);
      expect(Math.round((Date.parse(publishAt) - Date.now()) / DAY)).toBe(5);
    });

    it('should make an article that a search finds, with several revisions and a former slug', async () => {
      const { _id } = await read(server.client, '/blog/slug/tags-that-help-readers');
      const revisions = await read(editor, `/blog/editor/revisions/id/${_id}`);
      const transitions = revisions.map(({ move: transition }: { move: string }) => transition);
      expect(transitions).toEqual(['publish', 'submit', 'publish', 'submit']);
      const redirect = await server.client.get('/blog/slug/tags-that-help');
      expect([redirect.status, redirect.headers.get('location')]).toEqual([
        301,
        'tags-that-help-readers',
      ]);
      const found = await read(server.client, '/blogs/search?q=name+tags');
      expect(found.items[0].slug).toBe('tags-that-help-readers');
    });
  });

  it('should leave nothing to migrate after seeding', async () => {
    const { code, stdout } = await run('migrate');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Migrated:\n  nothing to change\n' });
  });

  it('should suffice for a server that starts with MIGRATE=off', async () => {
    const server = await startApp({ uri, env: { MIGRATE: 'off' } });
    const { status } = await server.client.get('/health/ready');
    expect(status).toBe(200);
    const client = server.client.with({ 'x-api-key': SEED.API_KEY });
    const admin = await signIn(client, 'boss@example.org', SEED.ADMIN_PASSWORD);
    expect((await admin.client.get('/admin/users')).status).toBe(200);
    await server.close();
  });
});
