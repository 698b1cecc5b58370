import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { blogBody, person, type Person } from '../support/factories.js';
import { connect, freshDatabaseUri } from '../support/mongo/mongo.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';

const rolesPath = ({ _id }: Pick<Person, '_id'>): string => `/admin/users/id/${_id}/roles`;
const codesOf = (data: { roles: { code: string }[] }): string[] =>
  data.roles.map(({ code }) => code);

describe('PUT /admin/users/id/:id/roles', () => {
  let server: TestApp;
  let second: TestApp;
  let admin: Person;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp();
    second = await startApp({ uri: server.uri });
    admin = await person(server, 'ADMIN');
    ada = await person(server);
  });

  beforeEach(async () => {
    await setRoles(['LEARNER']);
  });

  const setRoles = (roles: unknown, of: Person = ada) => admin.client.put(rolesPath(of), { roles });
  const stored = () => server.db.collection('users').findOne({ email: ada.email });
  /** Whether Ada can use a route that requires this role. */
  const may = async (
    role: 'AUTHOR' | 'EDITOR' | 'ADMIN',
    at: TestApp = server,
  ): Promise<boolean> => {
    const path = {
      AUTHOR: '/blog/author/drafts',
      EDITOR: '/blog/editor/submitted',
      ADMIN: '/admin/users',
    }[role];
    const { status } = await at.client.as(ada.accessToken).get(path);
    expect([200, 403]).toContain(status);
    return status === 200;
  };

  it('should replace the roles and return the account', async () => {
    const { status, body } = await setRoles(['ADMIN', 'LEARNER', 'AUTHOR']);
    expect(status).toBe(200);
    expect(body).toEqual({
      code: '10000',
      status: 200,
      message: 'success',
      data: {
        _id: ada._id,
        email: ada.email,
        name: ada.name,
        roles: ['LEARNER', 'AUTHOR', 'ADMIN'].map((code) => ({ _id: expect.any(String), code })),
        enabled: true,
        createdAt: expect.any(String),
      },
    });
    expect(codesOf((await setRoles(['EDITOR'])).body.data)).toEqual(['EDITOR']);
    expect((await stored())?.['roles']).toHaveLength(1);
  });

  it('should take effect with the next request, without a new token', async () => {
    const granted = async () => [await may('AUTHOR'), await may('EDITOR'), await may('ADMIN')];
    expect(await granted()).toEqual([false, false, false]);
    await setRoles(['AUTHOR']);
    expect(await granted()).toEqual([true, false, false]);
    await setRoles(['EDITOR', 'ADMIN']);
    expect(await granted()).toEqual([false, true, true]);
    await setRoles(['LEARNER']);
    expect(await granted()).toEqual([false, false, false]);
  });

  it('should take effect within a second on other processes', async () => {
    expect(await may('EDITOR', second)).toBe(false);
    await setRoles(['EDITOR']);
    await until('the other process lets the editor in', () => may('EDITOR', second), 1_000);
    await setRoles(['LEARNER']);
    await until(
      'the other process keeps them out',
      async () => !(await may('EDITOR', second)),
      1_000,
    );
  });

  it('should store a duplicate role once', async () => {
    const { body } = await setRoles(['AUTHOR', 'AUTHOR', 'LEARNER', 'AUTHOR']);
    expect(codesOf(body.data)).toEqual(['LEARNER', 'AUTHOR']);
    expect((await stored())?.['roles']).toHaveLength(2);
  });

  it.each([
    ['roles', undefined],
    ['roles', []],
    ['roles', 'ADMIN'],
    ['roles', { 0: 'ADMIN', length: 1 }],
    ['roles', ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN', 'ADMIN']],
    ['roles.1', ['LEARNER', 'WRITER']],
    ['roles.1', ['LEARNER', 'admin']],
    ['roles.1', ['LEARNER', ' ADMIN ']],
    ['roles.1', ['LEARNER', { $gt: '' }]],
    ['roles.1', ['LEARNER', 'constructor']],
  ])('should refuse %s of the body: %j', async (field, roles) => {
    const before = await stored();
    const message =
      field === 'roles'
        ? 'roles must be a list of 1 to 4 roles'
        : 'roles.1 must be one of LEARNER, AUTHOR, EDITOR, ADMIN';
    expectFieldErrors(await setRoles(roles), { field, message });
    expect(await stored()).toEqual(before);
  });
});

describe('a database whose authors are called WRITER', () => {
  const uri = freshDatabaseUri();
  let server: TestApp;
  let admin: Person;
  let ada: Person;

  beforeAll(async () => {
    const mongo = await connect(uri);
    await mongo.db().collection('roles').insertOne({ code: 'WRITER', status: true });
    await mongo.close();
    server = await startApp({ uri });
    admin = await person(server, 'ADMIN');
    ada = await person(server);
  });

  it('should treat WRITER as AUTHOR, and show it as stored', async () => {
    expect((await ada.client.get('/blog/author/drafts')).status).toBe(403);
    const { body } = await admin.client.put(rolesPath(ada), { roles: ['AUTHOR', 'LEARNER'] });
    expect(codesOf(body.data)).toEqual(['LEARNER', 'WRITER']);
    expect(codesOf((await ada.client.get('/profile/mine')).body.data)).toEqual([
      'LEARNER',
      'WRITER',
    ]);
    expect((await ada.client.post('/blog/author', blogBody())).status).toBe(200);
    expect((await ada.client.get('/blog/editor/submitted')).status).toBe(403);
    expect(await server.db.collection('roles').countDocuments({ code: 'AUTHOR' })).toBe(0);
  });

  it('should find users with WRITER as authors', async () => {
    await admin.client.put(rolesPath(ada), { roles: ['AUTHOR'] });
    const { body } = await admin.client.get('/admin/users?role=AUTHOR');
    expect(body.data.map(({ _id }: Person) => _id)).toEqual([ada._id]);
  });

  it('should grant nothing by a disabled role', async () => {
    await admin.client.put(rolesPath(ada), { roles: ['AUTHOR'] });
    const roles = server.db.collection('roles');
    await roles.updateOne({ code: 'WRITER' }, { $set: { status: false } });
    await until(
      'the role no longer counts',
      async () => (await ada.client.get('/blog/author/drafts')).status === 403,
      2_000,
    );
    await roles.updateOne({ code: 'WRITER' }, { $set: { status: true } });
    await until(
      'the role counts again',
      async () => (await ada.client.get('/blog/author/drafts')).status === 200,
      2_000,
    );
  });
});
