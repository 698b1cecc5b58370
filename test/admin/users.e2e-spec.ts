import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { SESSION_ENDED } from '../support/checks/refusal.js';
import { person, signIn, type Person } from '../support/factories.js';
import { openSession, type OpenSession } from '../support/sessions.js';
import { startApp, type TestApp } from '../support/start-app.js';

interface ListedUser {
  readonly _id: string;
  readonly email: string;
}

let server: TestApp;
let admin: Person;

beforeAll(async () => {
  server = await startApp();
  admin = await person(server, 'ADMIN');
});

/** These tests come first, because the later ones store more users. */
describe('GET /admin/users', () => {
  /** The ids of the stored users in the order of the list: newest first. */
  let crowd: string[];

  beforeAll(async () => {
    const roles = await server.db.collection('roles').find().toArray();
    const idOf = (code: string) => roles.find((role) => role['code'] === code)?._id;
    // Groups of five users have the same createdAt, so _id decides their order. The oldest are inserted last.
    const users = Array.from({ length: 25 }, (_, index) => ({
      email: `crowd-${index}@example.org`,
      name: `Crowd ${index}`,
      password: 'x',
      roles: [idOf('LEARNER'), ...(index % 5 === 0 ? [idOf('EDITOR')] : [])],
      status: index !== 7,
      createdAt: new Date(Date.UTC(2020, 0, 30 - Math.floor(index / 5))),
    }));
    const { insertedIds } = await server.db.collection('users').insertMany(users);
    crowd = users
      .map(({ createdAt }, index) => ({ createdAt, _id: insertedIds[index]?.toHexString() ?? '' }))
      .sort((a, b) => +b.createdAt - +a.createdAt || (a._id < b._id ? 1 : -1))
      .map(({ _id }) => _id);
  });

  const list = async (query: string): Promise<ListedUser[]> => {
    const { status, body } = await admin.client.get<ListedUser[]>(`/admin/users${query}`);
    expect(status).toBe(200);
    return body.data;
  };
  const ids = async (query: string) => (await list(query)).map(({ _id }) => _id);

  it('should return admin views without secrets', async () => {
    const { status, body, text, headers } = await admin.client.get(
      '/admin/users?email=crowd-7@example.org',
    );
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      code: '10000',
      status: 200,
      message: 'success',
      data: [
        {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          email: 'crowd-7@example.org',
          name: 'Crowd 7',
          roles: [{ _id: expect.any(String), code: 'LEARNER' }],
          enabled: false,
          createdAt: '2020-01-29T00:00:00.000Z',
        },
      ],
    });
    expect(text).not.toMatch(/password|epoch|verified/);
  });

  it('should list the newest first, ten a page', async () => {
    expect(await ids('')).toEqual([admin._id, ...crowd].slice(0, 10));
    expect(await ids('?page=2')).toEqual([admin._id, ...crowd].slice(10, 20));
    expect(await ids('?page=3')).toEqual([admin._id, ...crowd].slice(20));
  });

  it('should show each user once in pages of another size', async () => {
    const all: string[] = [];
    for (let page = 1; page <= 7; page++) all.push(...(await ids(`?page=${page}&limit=4`)));
    expect(all).toEqual([admin._id, ...crowd]);
  });

  it('should be empty beyond the last page', async () => {
    expect(await list('?page=4')).toEqual([]);
    expect(await list('?page=999999999&limit=100')).toEqual([]);
  });

  it('should find a whole email address in any letter case, and nobody by a part or a pattern', async () => {
    const emails = async (email: string) =>
      (await list(`?email=${email}`)).map((user) => user.email);
    expect(await emails('%20CROWD-3@Example.ORG%20')).toEqual(['crowd-3@example.org']);
    for (const other of ['crowd-3', 'crowd-.@example.org']) {
      expect(await emails(other)).toEqual([]);
    }
  });

  it('should filter by role, in the same order and pages', async () => {
    const editors = (await list('?role=EDITOR&limit=100')).map(({ email }) => email);
    expect(editors).toEqual([0, 5, 10, 15, 20].map((index) => `crowd-${index}@example.org`));
    const secondPage = await list('?role=EDITOR&limit=2&page=2');
    expect(secondPage.map(({ email }) => email)).toEqual(editors.slice(2, 4));
    expect(await ids('?role=ADMIN')).toEqual([admin._id]);
    expect(await list('?role=AUTHOR')).toEqual([]);
    expect(await list('?role=LEARNER&limit=100')).toHaveLength(26);
  });

  it('should combine the filters', async () => {
    expect(await list('?role=EDITOR&email=crowd-5@example.org')).toHaveLength(1);
    expect(await list('?role=EDITOR&email=crowd-6@example.org')).toEqual([]);
  });

  // messages.e2e-spec.ts tests page and limit.
  it.each(['role=WRITER', 'role[$ne]=ADMIN', 'email=', 'email[$regex]=.*'])(
    'should refuse ?%s',
    async (query) => {
      const { status, body } = await admin.client.get(`/admin/users?${query}`);
      expect(status).toBe(400);
      const [field] = /^\w+/.exec(query) ?? [];
      expect(body).toEqual({
        code: '10001',
        status: 400,
        message: expect.stringMatching(new RegExp(`^${field} must `)),
        reason: 'invalid_parameter',
      });
    },
  );

  // The query-plan check fails this file if a query examines too many records.
  it('should serve a deep page of all users and of a role', async () => {
    const roles = await server.db.collection('roles').find().toArray();
    const users = Array.from({ length: 300 }, (_, index) => ({
      email: `hundreds-${index}@example.org`,
      name: `One of hundreds ${index}`,
      password: 'x',
      roles: roles.filter(({ code }) => code !== 'ADMIN').map(({ _id }) => _id),
      status: true,
      createdAt: new Date(Date.UTC(2010, 0, 1, 0, 300 - index)),
    }));
    const { insertedIds } = await server.db.collection('users').insertMany(users);
    const oldest = Object.values(insertedIds).map((id) => id.toHexString());
    // 26 users are newer, of whom five are editors.
    expect(await ids('?page=32')).toEqual(oldest.slice(284, 294));
    expect(await ids('?role=EDITOR&page=30')).toEqual(oldest.slice(285, 295));
    expect(await ids('?role=AUTHOR&page=30')).toEqual(oldest.slice(290));
    expect(await ids('?email=hundreds-7@example.org&role=EDITOR')).toEqual([oldest[7]]);
    await server.db.collection('users').deleteMany({ email: /^hundreds-/ });
  });
});

describe('GET /admin/users/id/:id', () => {
  it('should return one account', async () => {
    const { status, body } = await admin.client.get(`/admin/users/id/${admin._id}`);
    expect(status).toBe(200);
    expect(body).toEqual(answerWith(admin, ['LEARNER', 'ADMIN']));
  });

  it('should show an account of the older server with missing fields', async () => {
    const { insertedId } = await server.db
      .collection('users')
      .insertOne({ email: 'old@example.org', name: 'Old', password: 'x', roles: [] });
    const { body } = await admin.client.get(`/admin/users/id/${insertedId.toHexString()}`);
    expect(body.data).toEqual({
      _id: insertedId.toHexString(),
      email: 'old@example.org',
      name: 'Old',
      roles: [],
      enabled: true,
      createdAt: insertedId.getTimestamp().toISOString(),
    });
  });
});

// two-servers.e2e-spec.ts tests how soon another server shows a change.
describe('PUT /admin/users/id/:id/roles', () => {
  let ada: Person;

  beforeAll(async () => {
    ada = await person(server);
  });

  const setRoles = (roles: unknown) =>
    admin.client.put(`/admin/users/id/${ada._id}/roles`, { roles });
  const stored = () => server.db.collection('users').findOne({ email: ada.email });

  it('should replace the roles, store each role once, and return the account', async () => {
    const { status, body } = await setRoles(['ADMIN', 'LEARNER', 'ADMIN', 'AUTHOR']);
    expect(status).toBe(200);
    expect(body).toEqual(answerWith(ada, ['LEARNER', 'AUTHOR', 'ADMIN']));
    expect((await stored())?.['roles']).toHaveLength(3);
    expect((await setRoles(['EDITOR'])).body).toEqual(answerWith(ada, ['EDITOR']));
    expect((await stored())?.['roles']).toHaveLength(1);
  });

  it('should take effect with the next request, without a new token', async () => {
    const paths = ['/blog/author/drafts', '/blog/editor/submitted', '/admin/users'];
    const statuses = () =>
      Promise.all(paths.map(async (path) => (await ada.client.get(path)).status));
    await setRoles(['LEARNER']);
    expect(await statuses()).toEqual([403, 403, 403]);
    await setRoles(['AUTHOR']);
    expect(await statuses()).toEqual([200, 403, 403]);
    await setRoles(['EDITOR', 'ADMIN']);
    expect(await statuses()).toEqual([403, 200, 200]);
  });

  it.each([
    ['roles', undefined],
    ['roles', []],
    ['roles', 'ADMIN'],
    ['roles', { 0: 'ADMIN', length: 1 }],
    ['roles', ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN', 'ADMIN']],
    ['roles.1', ['LEARNER', 'WRITER']],
    ['roles.1', ['LEARNER', ' ADMIN ']],
    ['roles.1', ['LEARNER', { $gt: '' }]],
    ['roles.1', ['LEARNER', 'constructor']],
  ])('should refuse the field %s: %j', async (field, roles) => {
    const before = await stored();
    const message =
      field === 'roles'
        ? 'roles must be a list of 1 to 4 roles'
        : 'roles.1 must be one of LEARNER, AUTHOR, EDITOR, ADMIN';
    expectFieldErrors(await setRoles(roles), { field, message });
    expect(await stored()).toEqual(before);
  });
});

describe('PUT /admin/users/id/:id/status', () => {
  let ada: Person;
  let secondSession: OpenSession;

  beforeEach(async () => {
    ada = await person(server);
    secondSession = await openSession(server, ada);
  });

  const setEnabled = (enabled: unknown) =>
    admin.client.put(`/admin/users/id/${ada._id}/status`, { enabled });
  const statusOf = async ({ client }: Pick<Person, 'client'>) =>
    (await client.get('/profile/mine')).status;

  it('should end all sessions when disabling, and not restore them when enabling', async () => {
    expect([await statusOf(ada), await statusOf(secondSession)]).toEqual([200, 200]);
    expect((await setEnabled(false)).body).toEqual(answerWith(ada, ['LEARNER'], false));
    expect((await ada.client.get('/profile/mine')).body).toEqual(SESSION_ENDED);
    expect(await statusOf(secondSession)).toBe(401);
    const refresh = { refresh_token: ada.refreshToken };
    expect((await ada.client.post('/auth/refresh', refresh)).body).toEqual(SESSION_ENDED);

    const { status, body } = await setEnabled(true);
    expect(status).toBe(200);
    expect(body).toEqual(answerWith(ada, ['LEARNER']));
    expect([await statusOf(ada), await statusOf(secondSession)]).toEqual([401, 401]);
    expect((await ada.client.post('/auth/refresh', refresh)).body).toEqual(SESSION_ENDED);
    expect(await statusOf(await signIn(server.client, ada.email))).toBe(200);
  });

  it('should not end sessions when enabling an account that is enabled already', async () => {
    expect((await setEnabled(true)).status).toBe(200);
    expect(await statusOf(ada)).toBe(200);
  });

  it.each([undefined, 'false', { $ne: true }])('should refuse %j', async (enabled) => {
    const message = 'enabled must be true or false';
    expectFieldErrors(await setEnabled(enabled), { field: 'enabled', message });
    expect(await statusOf(ada)).toBe(200);
  });
});

/** A successful answer that contains the account. */
function answerWith(
  { _id, email, name }: Pick<Person, '_id' | 'email' | 'name'>,
  roles: readonly string[],
  enabled = true,
): object {
  return {
    code: '10000',
    status: 200,
    message: 'success',
    data: {
      _id,
      email,
      name,
      roles: roles.map((code) => ({ _id: expect.any(String), code })),
      enabled,
      createdAt: expect.any(String),
    },
  };
}
