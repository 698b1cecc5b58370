import { beforeAll, describe, expect, it } from '@jest/globals';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

interface ListedUser {
  readonly _id: string;
  readonly email: string;
}

describe('GET /admin/users', () => {
  let server: TestApp;
  let admin: Person;
  /** In the order of the list, newest first. */
  let crowd: string[];

  beforeAll(async () => {
    server = await startApp();
    admin = await person(server, 'ADMIN');
    const roles = await server.db.collection('roles').find().toArray();
    const idOf = (code: string) => roles.find((role) => role['code'] === code)?._id;
    // Five with each time, so that _id decides their order; inserted with the oldest last.
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

  it.each([1, 4])('should show each user once in pages of %i', async (limit) => {
    const pages = Math.ceil(26 / limit);
    const all: string[] = [];
    for (let page = 1; page <= pages; page++)
      all.push(...(await ids(`?page=${page}&limit=${limit}`)));
    expect(all).toEqual([admin._id, ...crowd]);
  });

  it('should be empty beyond the last page', async () => {
    expect(await list('?page=4')).toEqual([]);
    expect(await list('?page=999999999&limit=100')).toEqual([]);
  });

  it.each(['crowd-3@example.org', 'CROWD-3@Example.ORG', '%20crowd-3@example.org%20'])(
    'should find the email address %s',
    async (email) => {
      expect((await list(`?email=${email}`)).map((user) => user.email)).toEqual([
        'crowd-3@example.org',
      ]);
    },
  );

  it.each(['crowd-3', 'crowd-.@example.org', '%24regex', 'nobody@example.org'])(
    'should find nobody by %s, which is no whole email address',
    async (email) => {
      expect(await list(`?email=${email}`)).toEqual([]);
    },
  );

  it('should filter by role, in the same order and pages', async () => {
    const editors = (await list('?role=EDITOR&limit=100')).map(({ email }) => email);
    expect(editors).toEqual([0, 5, 10, 15, 20].map((index) => `crowd-${index}@example.org`));
    const second = await list('?role=EDITOR&limit=2&page=2');
    expect(second.map(({ email }) => email)).toEqual(editors.slice(2, 4));
    expect(await ids('?role=ADMIN')).toEqual([admin._id]);
    expect(await list('?role=AUTHOR')).toEqual([]);
    expect(await list('?role=LEARNER&limit=100')).toHaveLength(26);
  });

  it('should combine the filters', async () => {
    expect(await list('?role=EDITOR&email=crowd-5@example.org')).toHaveLength(1);
    expect(await list('?role=EDITOR&email=crowd-6@example.org')).toEqual([]);
  });

  it.each([
    'page=0',
    'limit=101',
    'role=WRITER',
    'role[$ne]=ADMIN',
    'email=',
    `email=${'a'.repeat(255)}`,
    'email=a%00b',
    'email[$regex]=.*',
  ])('should refuse ?%s', async (query) => {
    const { status, body } = await admin.client.get(`/admin/users?${query}`);
    expect(status).toBe(400);
    const [field] = /^\w+/.exec(query) ?? [];
    expect(body).toEqual({
      code: '10001',
      status: 400,
      message: expect.stringMatching(new RegExp(`^${field} must `)),
      reason: 'invalid_parameter',
    });
  });

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
    // 26 users are newer, of which five are editors.
    expect(await ids('?page=32')).toEqual(oldest.slice(284, 294));
    expect(await ids('?role=EDITOR&page=30')).toEqual(oldest.slice(285, 295));
    expect(await ids('?role=AUTHOR&page=30')).toEqual(oldest.slice(290));
    expect(await ids('?email=hundreds-7@example.org&role=EDITOR')).toEqual([oldest[7]]);
    await server.db.collection('users').deleteMany({ email: /^hundreds-/ });
  });
});

describe('GET /admin/users/id/:id', () => {
  let server: TestApp;
  let admin: Person;

  beforeAll(async () => {
    server = await startApp();
    admin = await person(server, 'ADMIN', 'EDITOR');
  });

  it('should return one account', async () => {
    const { status, body } = await admin.client.get(`/admin/users/id/${admin._id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      code: '10000',
      status: 200,
      message: 'success',
      data: {
        _id: admin._id,
        email: admin.email,
        name: admin.name,
        roles: ['LEARNER', 'EDITOR', 'ADMIN'].map((code) => ({ _id: expect.any(String), code })),
        enabled: true,
        createdAt: expect.any(String),
      },
    });
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
