import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { person, signIn, type Person } from '../support/factories.js';
import { openCommandFixture, untilCoherent, type CommandFixture } from './fixture.js';

const NEW_PASSWORD = 'a horse of another colour';

/** Each command starts a process. */
const TIMEOUT_MS = 120_000;

jest.setTimeout(TIMEOUT_MS);

describe('pressroom users, while a server runs', () => {
  let fixture: CommandFixture;
  let ada: Person;

  beforeAll(async () => {
    fixture = await openCommandFixture();
    await person(fixture.server, 'ADMIN');
    ada = await person(fixture.server, 'EDITOR');
    // The server caches her session and her roles.
    await ada.client.get('/blog/editor/submitted');
  });

  /** Waits for the server to answer this status to an editor's read. */
  const answers = (status: number): Promise<unknown> =>
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

  it('should refuse in one sentence, and write nothing', async () => {
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
    await answers(403);
    await fixture.json(['users', 'roles', ada.email, 'EDITOR', 'AUTHOR']);
    await answers(200);
  });

  it('should set a password, and end all sessions', async () => {
    const { code, stdout, stderr } = await fixture.run(['users', 'password', ada.email], {
      input: `${NEW_PASSWORD}\n`,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain(NEW_PASSWORD);
    await answers(401);
    ada = {
      ...ada,
      ...(await signIn(fixture.server.client, ada.email, NEW_PASSWORD)),
    };
  });

  it('should disable an account, but not the last admin', async () => {
    await answers(200);
    await fixture.json(['users', 'disable', ada.email]);
    await answers(401);
    await fixture.server.db
      .collection('users')
      .updateMany({ email: { $ne: 'boss@example.org' } }, { $set: { status: false } });
    const { code, stderr } = await fixture.run(['users', 'disable', 'boss@example.org']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('make another one first')]);
  });
});
