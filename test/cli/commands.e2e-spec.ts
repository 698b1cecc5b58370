import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MIGRATIONS_LOCK } from '../../src/platform/database/migrations/migration.service.js';
import { runAccountJobs } from '../blog/handover/account-jobs.js';
import { Receiver } from '../events/webhooks/receiver.js';
import { person, signIn, type Person } from '../support/factories.js';
import { temporaryFolder } from '../support/process.js';
import { openCommandFixture, untilCoherent, type CommandFixture } from './fixture.js';

const NEW_PASSWORD = 'a horse of another colour';

interface Check {
  readonly name: string;
  readonly result: string;
}

// Each command starts a process.
jest.setTimeout(120_000);

let fixture: CommandFixture;

beforeAll(async () => {
  fixture = await openCommandFixture({ WEBHOOK_HTTP: 'on', WEBHOOK_PRIVATE: 'on' });
});

// These tests run first, because the later ones create an admin.
describe('pressroom doctor', () => {
  it('should check everything, warn that there is no admin, and change nothing', async () => {
    const { db } = fixture.server;
    const names = async () => (await db.listCollections().toArray()).map(({ name }) => name).sort();
    const before = await names();
    const { result, checks } = await fixture.json(['doctor'], { code: 2 });
    expect(result).toBe('warn');
    expect(checks.map((check: Check) => [check.name, check.result])).toEqual([
      ...['version', 'settings', 'signing key', 'database'].map((name) => [name, 'ok']),
      ...['reads and writes', 'clock', 'migrations', 'counts'].map((name) => [name, 'ok']),
      ['API keys', 'ok'],
      ['admins', 'warn'],
      ['disk of the database', expect.any(String)],
      ['mail', 'ok'],
      ['pictures', 'ok'],
    ]);
    expect(await names()).toEqual(before);
    // The only lock is the one of the migrations, which the server of this test has run.
    const jobs = await db.collection('background_jobs').distinct('_id');
    expect(jobs).toEqual([MIGRATIONS_LOCK]);
  });

  it('should name lists whose count is wrong, and count the API keys with scopes', async () => {
    const { db } = fixture.server;
    const lists = db.collection<{ _id: string }>('lists');
    const wrong = { _id: 'tag:wrong', tag: 'wrong', count: 2 };
    await lists.insertOne(wrong);
    const scoped = { key: 'a-key-with-scopes', status: true, scopes: ['read'] };
    await db.collection('api_keys').insertOne(scoped);
    const { checks } = await fixture.json(['doctor'], { code: 2 });
    const keys = checks.find(({ name }: Check) => name === 'API keys');
    expect(keys.message).toContain('1 with scopes');
    const counts = checks.find(({ name }: Check) => name === 'counts');
    expect(counts).toMatchObject({ result: 'warn', message: expect.stringContaining('tag:wrong') });
    await lists.deleteOne({ _id: wrong._id });
    await db.collection('api_keys').deleteOne({ key: scoped.key });
  });

  it('should check the signing key also when the database cannot be reached', async () => {
    const file = join(await temporaryFolder(), 'jwt.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o644 });
    const { code, stdout, stderr } = await fixture.run(['doctor'], {
      env: {
        MONGODB_URI: 'mongodb://127.0.0.1:1/x',
        JWT_PRIVATE_KEYS: '',
        JWT_PRIVATE_KEYS_FILE: file,
      },
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^fail {2}database +The database cannot be reached .*\.$/m);
    expect(stdout).toMatch(/^warn {2}signing key +Others may read .* run "chmod 600 .*"\.$/m);
  });

  it('should report each wrong setting in one sentence', async () => {
    const { code, stdout } = await fixture.run(['doctor'], { env: { PORT: 'abc', DOCS: 'maybe' } });
    const failed = stdout.split('\n').filter((line) => line.startsWith('fail'));
    expect([code, failed]).toEqual([
      1,
      [expect.stringContaining('PORT must be'), expect.stringContaining('DOCS must be')],
    ]);
  });
});

describe('pressroom keys, webhooks and jobs, while a server runs', () => {
  it('should create a key, show it once, and disable it within a second', async () => {
    const { server, json } = fixture;
    const { _id, key } = await json([
      'keys',
      'create',
      '--comment',
      'page',
      '--scopes',
      'search,read',
    ]);
    const client = server.client.with({ 'x-api-key': key });
    const status = async () => (await client.get('/auth/verify/apikey')).status;
    expect(await status()).toBe(200);
    expect((await client.get('/feeds/rss.xml')).status).toBe(403);
    const disabled = await json(['keys', 'disable', _id]);
    await untilCoherent('403 for the key', async () => (await status()) === 403);
    expect(disabled).toMatchObject({ _id, enabled: false, comment: 'page' });
    const listed = await json(['keys', 'list']);
    expect(listed[0]).toMatchObject({ _id, enabled: false, scopes: ['read', 'search'] });
    expect(JSON.stringify(listed)).not.toContain(key);
  });

  it('should refuse an unknown key in one sentence', async () => {
    const { code, stderr } = await fixture.run(['keys', 'enable', 'f'.repeat(24)]);
    expect([code, stderr]).toEqual([
      1,
      'No API key has this id: "pressroom keys list" shows those that exist.\n',
    ]);
  });

  it('should call a webhook, and report the result', async () => {
    const receiver = await Receiver.open();
    const admin = await person(fixture.server, 'ADMIN');
    const body = { url: `${receiver.url}/hook`, events: ['*'] };
    const { _id } = (await admin.client.post('/admin/webhooks', body)).body.data;
    expect(await fixture.json(['webhooks', 'list'])).toEqual([
      expect.objectContaining({ _id, url: body.url, enabled: true }),
    ]);
    expect(await fixture.json(['webhooks', 'test', _id])).toMatchObject({ status: 204 });
    expect(receiver.types).toEqual(['webhook.test']);
    receiver.answer = (response) => void response.writeHead(500).end();
    const { code, stdout } = await fixture.run(['webhooks', 'test', _id]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Not delivered .*: status 500\n$/)]);
  });

  it('should tell how far a handover is, until it is done', async () => {
    const { server, run } = fixture;
    const admin = await person(server, 'ADMIN');
    const [from, to] = [await person(server, 'AUTHOR'), await person(server, 'AUTHOR')];
    const path = `/admin/users/id/${from._id}/blogs/author`;
    const { _id } = (await admin.client.put(path, { user: to._id })).body.data;
    expect((await run(['jobs'])).stdout).toBe(`${_id}  handOver  waiting  0 blogs\n`);
    await runAccountJobs(server);
    expect((await run(['jobs'])).stdout).toBe('no unfinished jobs\n');
  });
});

describe('pressroom users, while a server runs', () => {
  let ada: Person;

  beforeAll(async () => {
    await person(fixture.server, 'ADMIN');
    ada = await person(fixture.server, 'EDITOR');
    // This read makes the server cache Ada's session and roles.
    await ada.client.get('/blog/editor/submitted');
  });

  /** Waits until the server answers Ada's read of the submitted blogs with this status. */
  const untilAdaGets = (status: number): Promise<unknown> =>
    untilCoherent(
      `${status} for Ada`,
      async () => (await ada.client.get('/blog/editor/submitted')).status === status,
    );

  it('should create an account that can sign in, and store its address in lower case', async () => {
    const args = ['users', 'create', ' Boss@Example.ORG', '--name', 'Boss'];
    const roles = ['--role', 'EDITOR', '--role', 'ADMIN'];
    const created = await fixture.json([...args, ...roles], { input: `${NEW_PASSWORD}\n` });
    expect(created).toMatchObject({ email: 'boss@example.org', name: 'Boss', enabled: true });
    const { client } = await signIn(fixture.server.client, 'boss@example.org', NEW_PASSWORD);
    expect((await client.get('/admin/users')).status).toBe(200);
    const listed = await fixture.json(['users', 'list', '--role', 'ADMIN']);
    expect(listed[0]).toEqual(created);
    expect(JSON.stringify(listed)).not.toContain('password');
  });

  it('should refuse wrong input in one sentence, and write nothing', async () => {
    const { server, run } = fixture;
    const count = () => server.db.collection('users').countDocuments();
    const before = await count();
    const create = ['users', 'create', 'eve@example.org', '--name', 'Eve'];
    const refused = await Promise.all([
      run(create, { input: 'short\n' }),
      run(create),
      run(['users', 'create', ada.email, '--name', 'Ada'], { input: NEW_PASSWORD }),
    ]);
    expect(refused.map(({ code, stdout }) => [code, stdout])).toEqual(refused.map(() => [1, '']));
    expect(refused.map(({ stderr }) => stderr)).toEqual([
      'Password must have at least 8 characters.\n',
      expect.stringMatching(/^No password was given: [^\n]+\.\n$/),
      expect.stringMatching(/ has an account: change it by [^\n]+\.\n$/),
    ]);
    expect(await count()).toBe(before);
    expect((await run(['users', 'roles', ada.email, 'KING'])).code).toBe(64);
  });

  it('should set roles', async () => {
    await fixture.json(['users', 'roles', ada.email, 'AUTHOR']);
    await untilAdaGets(403);
    await fixture.json(['users', 'roles', ada.email, 'EDITOR', 'AUTHOR']);
    await untilAdaGets(200);
  });

  it('should set a password, and end all sessions of the account', async () => {
    const { code, stdout, stderr } = await fixture.run(['users', 'password', ada.email], {
      input: `${NEW_PASSWORD}\n`,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(NEW_PASSWORD);
    await untilAdaGets(401);
    ada = {
      ...ada,
      ...(await signIn(fixture.server.client, ada.email, NEW_PASSWORD)),
    };
  });

  it('should disable an account, but not the last admin', async () => {
    await untilAdaGets(200);
    await fixture.json(['users', 'disable', ada.email]);
    await untilAdaGets(401);
    await fixture.server.db
      .collection('users')
      .updateMany({ email: { $ne: 'boss@example.org' } }, { $set: { status: false } });
    const { code, stderr } = await fixture.run(['users', 'disable', 'boss@example.org']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('make another one first')]);
  });
});
