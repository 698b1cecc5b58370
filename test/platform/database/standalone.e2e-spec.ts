import { beforeAll, describe, expect, it } from '@jest/globals';
import { blogIn, PASSWORD, person } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { openSession } from '../../support/sessions.js';
import { startApp, type TestApp } from '../../support/start-app.js';

describe('a standalone MongoDB, which has no transactions', () => {
  let mongo: OwnMongo;
  let server: TestApp;

  beforeAll(async () => {
    mongo = await OwnMongo.createStandalone();
    server = await startApp({ uri: mongo.uri('standalone') });
  });

  it('should be warned of at the start', () => {
    const warning = server.log.find((line) => line.includes('standalone'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('nothing is answered from memory'),
    });
  });

  it('should publish a blog from draft to readers', async () => {
    const author = await person(server, 'AUTHOR');
    const editor = await person(server, 'EDITOR');
    const { _id, body } = await blogIn('live with draft', author, editor);
    const read = await server.client.get(`/blog/id/${_id}`);
    expect(read.body.data).toMatchObject({ title: body.title, slug: body.slug });
  });

  it('should keep the last admin, also when both are demoted concurrently', async () => {
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

  it('should change a password and end the other sessions', async () => {
    const ada = await person(server);
    const phone = await openSession(server, ada);
    const body = { currentPassword: PASSWORD, newPassword: 'four candles' };
    expect((await ada.client.put('/auth/password', body)).status).toBe(200);
    expect((await ada.client.get('/profile/mine')).status).toBe(200);
    expect((await phone.client.get('/profile/mine')).status).toBe(401);
  });

  it('should delete an account with its unpublished blogs', async () => {
    const author = await person(server, 'AUTHOR');
    const editor = await person(server, 'EDITOR');
    const draft = await blogIn('draft', author, editor);
    const live = await blogIn('live', author, editor);
    const { status } = await author.client.delete('/profile/mine', {
      body: { password: PASSWORD },
    });
    expect(status).toBe(200);
    const names = await server.db.collection('users').countDocuments({ name: author.name });
    const drafts = await server.db.collection('blogs').countDocuments({ slug: draft.body.slug });
    expect([names, drafts]).toEqual([0, 0]);
    const { body } = await server.client.get(`/blog/id/${live._id}`);
    expect(body.data.author.name).toBe('Former author');
    const { client } = editor;
    expect((await client.put(`/blog/editor/unpublish/id/${live._id}`)).status).toBe(200);
    expect(await server.db.collection('blogs').countDocuments({ slug: live.body.slug })).toBe(0);
  });

  it('should revert the deletion of the last admin, with the sessions', async () => {
    const admin = await person(server, 'ADMIN', 'AUTHOR');
    await server.db
      .collection('users')
      .updateMany({ email: { $ne: admin.email } }, { $set: { status: false } });
    const users = () => server.db.collection('users').findOne({ email: admin.email });
    const before = await users();
    const { status } = await admin.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect(status).toBe(400);
    expect(await users()).toEqual(before);
    expect((await admin.client.get('/admin/users')).status).toBe(200);
  });
});
