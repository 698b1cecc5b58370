import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogBody, person, type Person } from '../support/factories.js';
import { connect, freshDatabaseUri } from '../support/mongo/mongo.js';
import { startApp, type TestApp } from '../support/start-app.js';

const rolesPath = ({ _id }: Pick<Person, '_id'>): string => `/admin/users/id/${_id}/roles`;
const codesOf = (data: { roles: { code: string }[] }): string[] =>
  data.roles.map(({ code }) => code);

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
    const { body } = await admin.client.put(rolesPath(ada), { roles: ['EDITOR', 'AUTHOR'] });
    expect(codesOf(body.data)).toEqual(['WRITER', 'EDITOR']);
    const mine = await ada.client.get('/profile/mine');
    expect(codesOf(mine.body.data)).toEqual(['WRITER', 'EDITOR']);
    expect((await ada.client.post('/blog/author', blogBody())).status).toBe(200);
    expect((await ada.client.get('/admin/users')).status).toBe(403);
    expect(await server.db.collection('roles').countDocuments({ code: 'AUTHOR' })).toBe(0);
  });

  it('should find users with WRITER as authors', async () => {
    await admin.client.put(rolesPath(ada), { roles: ['AUTHOR'] });
    const { body } = await admin.client.get('/admin/users?role=AUTHOR');
    expect(body.data.map(({ _id }: Person) => _id)).toEqual([ada._id]);
  });
});
