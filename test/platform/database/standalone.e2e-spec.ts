import { beforeAll, describe, expect, it } from '@jest/globals';
import { runAccountJobs } from '../../blog/handover/account-jobs.js';
import { BLOG_READS } from '../../routes/reads.js';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import { blogIn, PASSWORD, person, unique, type BlogInState } from '../../support/factories.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { openSession } from '../../support/sessions.js';
import {
  controlMonotonicClock,
  holdNextRead,
  type MonotonicClock,
} from '../caching/support/barriers.js';
import { openFixture, type Fixture } from '../caching/support/fixture.js';
import {
  KINDS,
  newAttempt,
  newKey as idempotencyKey,
  openFixture as openKinds,
  send,
} from '../idempotency/kinds.js';

describe('a standalone MongoDB, which has no transactions and no change streams', () => {
  let server: Fixture;
  let clock: MonotonicClock;
  let recorder: CommandRecorder;
  let blog: BlogInState;

  beforeAll(async () => {
    const mongo = await OwnMongo.createStandalone();
    server = await openFixture({ uri: mongo.uri('standalone') });
    clock = controlMonotonicClock(server.app);
    blog = await blogIn('live', server.author, server.editor);
    recorder = new CommandRecorder(server);
  });

  it('should be warned of at the start', () => {
    const warning = server.log.find((line) => line.includes('standalone'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('nothing is answered from memory'),
    });
  });

  const queries = (collection: string): number =>
    recorder.commands.filter(
      (command) =>
        command.collection === collection && ['find', 'aggregate'].includes(command.name),
    ).length;

  it.each([
    ...BLOG_READS.map(({ pathTo }): [string, () => string] => [
      'blogs',
      () => pathTo({ ...blog, author: server.author, similarBlog: blog }),
    ]),
    ['users', () => `/profile/id/${server.author._id}`],
    ['sessions', () => '/profile/mine'],
  ])('should read %s anew for every answer', async (collection, path) => {
    recorder.clear();
    for (let n = 1; n <= 4; n++) {
      expect((await server.author.client.get(path())).status).toBe(200);
      expect(queries(collection)).toBeGreaterThanOrEqual(n);
    }
    expect(recorder.commands.filter((command) => command.collection === 'beats')).toEqual([]);
  });

  async function newKey(): Promise<{
    status: () => Promise<number>;
    disable: () => Promise<void>;
  }> {
    const key = unique('plain-key');
    const keys = server.db.collection('api_keys');
    await keys.insertOne({ key, status: true });
    return {
      status: async () =>
        (await server.client.get('/auth/verify/apikey', { headers: { 'x-api-key': key } })).status,
      disable: async () => {
        await keys.updateOne({ key }, { $set: { status: false } });
      },
    };
  }

  it('should accept a cached API key for one second at most', async () => {
    const key = await newKey();
    expect(await key.status()).toBe(200);
    await key.disable();
    clock.advance(1_000);
    expect(await key.status()).toBe(403);
  });

  it('should not look an API key up again within one second', async () => {
    const startedAt = performance.now();
    const key = await newKey();
    expect(await key.status()).toBe(200);
    recorder.clear();
    const requestCount = 20;
    for (let n = 0; n < requestCount; n++) expect(await key.status()).toBe(200);
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(queries('api_keys')).toBeLessThanOrEqual(seconds);
  });

  it('should cache an API key for one second from its read, however late the response is', async () => {
    const key = await newKey();
    const held = holdNextRead(server.app);
    const first = key.status();
    await held.untilRead();
    await key.disable();
    clock.advance(1_000);
    held.release();
    expect(await first).toBe(200);
    expect(await key.status()).toBe(403);
  });

  it('should hide a blog from readers as soon as it is unpublished', async () => {
    const { author, editor, client } = server;
    const { _id, body } = await blogIn('live with draft', author, editor);
    const read = await client.get(`/blog/id/${_id}`);
    expect(read.body.data).toMatchObject({ title: body.title, slug: body.slug });
    await editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    expect((await client.get(`/blog/id/${_id}`)).status).toBe(404);
  });

  it('should keep the last admin, even when two admins demote each other concurrently', async () => {
    const first = await person(server, 'ADMIN');
    const second = await person(server, 'ADMIN');
    const demote = (caller: typeof first, target: typeof first) =>
      caller.client.put(`/admin/users/id/${target._id}/roles`, { roles: ['LEARNER'] });
    const users = server.db.collection('users');
    const disableOthers = (...emails: string[]) =>
      users.updateMany({ email: { $nin: emails } }, { $set: { status: false } });
    await disableOthers(first.email, second.email);
    await Promise.all([demote(first, second), demote(second, first)]);
    const role = await server.db.collection('roles').findOne({ code: 'ADMIN' });
    expect(await users.countDocuments({ roles: role?._id, status: true })).toBeGreaterThanOrEqual(
      1,
    );

    const admin = await person(server, 'ADMIN');
    await disableOthers(admin.email);
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
    await runAccountJobs(server);
    const userCount = await server.db.collection('users').countDocuments({ name: author.name });
    const blogCount = await server.db.collection('blogs').countDocuments({ slug: draft.body.slug });
    expect([userCount, blogCount]).toEqual([0, 0]);
    const { body } = await server.client.get(`/blog/id/${live._id}`);
    expect(body.data.author.name).toBe('Former author');
    const { client } = editor;
    expect((await client.put(`/blog/editor/unpublish/id/${live._id}`)).status).toBe(200);
    expect(await server.db.collection('blogs').countDocuments({ slug: live.body.slug })).toBe(0);
  });

  it('should revert the deletion of the last admin, and keep the sessions', async () => {
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

  it('should create one record of each kind for several requests with one Idempotency-Key', async () => {
    const fixture = await openKinds(server);
    for (const kind of KINDS) {
      const [attempt, key] = [newAttempt(fixture, kind), idempotencyKey()];
      const records = fixture.server.db.collection(kind.collection);
      const before = await records.countDocuments();
      const answers = await Promise.all([1, 2, 3].map(() => send(attempt, key)));
      for (const { status, body } of answers)
        expect([kind.route, status, body]).toEqual([kind.route, 200, answers[0]?.body]);
      expect(await records.countDocuments()).toBe(before + 1);
      if (!kind.remove) continue;
      await kind.remove(attempt.client, answers[0]?.body.data ?? {}, attempt.path);
      expect((await send(attempt, key)).body.reason).toBe(kind.goneReason);
    }
  });
});
