import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blogIn, person } from '../support/factories.js';
import { OwnMongo } from '../support/own-mongo.js';
import { startApp, type TestApp } from '../support/start-app.js';

describe('a standalone MongoDB, which has no transactions', () => {
  let mongo: OwnMongo;
  let server: TestApp;

  beforeAll(async () => {
    mongo = await OwnMongo.createStandalone();
    server = await startApp({ uri: mongo.uri('standalone') });
  });

  afterAll(async () => {
    await server.close();
    await mongo.remove();
  });

  it('should be named at the start, with what it cannot do', () => {
    const warning = server.log.find((line) => line.includes('standalone'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('nothing is answered from memory'),
    });
  });

  it('should carry a blog from draft to readers', async () => {
    const author = await person(server, 'AUTHOR');
    const editor = await person(server, 'EDITOR');
    const { _id, body } = await blogIn('live with draft', author, editor);
    const read = await server.client.get(`/blog/id/${_id}`);
    expect(read.body.data).toMatchObject({ title: body.title, slug: body.slug });
  });

  it('should keep the last admin: alone, and when both are demoted at once', async () => {
    const first = await person(server, 'ADMIN');
    const second = await person(server, 'ADMIN');
    const demote = (caller: typeof first, target: typeof first) =>
      caller.client.put(`/admin/users/id/${target._id}/roles`, { roles: ['LEARNER'] });
    await Promise.all([demote(first, second), demote(second, first)]);
    const admins = await server.db.collection('roles').findOne({ code: 'ADMIN' });
    const left = () => server.db.collection('users').countDocuments({ roles: admins?._id });
    expect(await left()).toBeGreaterThanOrEqual(1);

    const admin = await person(server, 'ADMIN');
    await server.db
      .collection('users')
      .updateMany({ email: { $ne: admin.email } }, { $set: { status: false } });
    const { status, body } = await demote(admin, admin);
    expect([status, body.message]).toEqual([400, expect.stringContaining('last enabled ADMIN')]);
    expect((await admin.client.get('/admin/users')).status).toBe(200);
  });
});
