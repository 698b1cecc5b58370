import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo, Types } from 'mongoose';
import { PasswordHasher } from '../../src/auth/password/password-hasher.js';
import { PurgeJob } from '../../src/blog/trash/purge.job.js';
import { blogBody, blogIn, PASSWORD, person, STATES, type Person } from '../support/factories.js';
import { collectionNames } from '../support/mongo/mongo.js';
import { openSession, type OpenSession } from '../support/sessions.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { storeCopies, storedBlog } from '../blog/core/fixture.js';

const WRONG = { code: '10001', status: 401, message: 'invalid password', reason: 'wrong_password' };

describe('DELETE /profile/mine', () => {
  let server: TestApp;
  let editor: Person;
  let ada: Person;
  let phone: OpenSession;

  beforeAll(async () => {
    server = await startApp();
    editor = await person(server, 'AUTHOR', 'EDITOR', 'ADMIN');
  });

  beforeEach(async () => {
    ada = await person(server, 'AUTHOR');
    phone = await openSession(server, ada);
  });

  const remove = ({ client }: Pick<Person, 'client'>, password: unknown = PASSWORD) =>
    client.delete('/profile/mine', { body: { password } });
  const statusOf = async ({ client }: Pick<Person, 'client'>): Promise<number> =>
    (await client.get('/profile/mine')).status;
  const blogsOf = ({ _id }: Person) =>
    server.db.collection('blogs').find({ author: new Types.ObjectId(_id) });

  /** The request leaves to the background job what takes more than two seconds. */
  const purgeTheRest = () => server.app.get(PurgeJob).run(new AbortController().signal);

  it('should delete all personal data from the database', async () => {
    await ada.client.put('/profile/mine', { profilePicUrl: 'https://example.org/ada-herself.png' });
    for (const state of STATES) await blogIn(state, ada, editor);
    const { status, body } = await remove(ada);
    expect([status, body.message]).toEqual([200, 'account deleted successfully']);
    expect(body).not.toHaveProperty('data');
    const names = await collectionNames(server.db);
    const dump = await Promise.all(
      names.map((name) => server.db.collection(name).find().toArray()),
    );
    const text = mongo.BSON.EJSON.stringify(dump);
    for (const personal of [ada.email, ada.name, 'ada-herself']) {
      expect(text).not.toContain(personal);
    }
  });

  it('should leave no session to a concurrent sign-in', async () => {
    const hasher = server.app.get(PasswordHasher);
    const matches = hasher.matches.bind(hasher);
    let isRemoved = false;
    const spy = jest.spyOn(hasher, 'matches').mockImplementationOnce(async (password, hash) => {
      const isMatch = await matches(password, hash);
      isRemoved = (await remove(ada)).status === 200;
      return isMatch;
    });
    const signIn = { email: ada.email, password: PASSWORD };
    const { status, body } = await server.client.post('/auth/signin/basic', signIn);
    spy.mockRestore();
    expect(isRemoved).toBe(true);
    expect([status, body.message]).toEqual([401, 'invalid email or password']);
    const user = new Types.ObjectId(ada._id);
    expect(await server.db.collection('sessions').countDocuments({ user })).toBe(0);
  });

  // The query-plan check fails this file if a command examines too many records.
  it('should keep hundreds of live blogs, and remove a few others', async () => {
    const { _id } = await blogIn('live', ada, editor);
    const { live } = await storedBlog(server.db, _id);
    const copies = Array.from({ length: 300 }, () => (slug: string) => ({
      live: { ...live, slug },
    }));
    await storeCopies(server.db, _id, copies);
    for (const state of STATES) await blogIn(state, ada, editor);
    expect((await remove(ada)).status).toBe(200);
    await purgeTheRest();
    const left = await blogsOf(ada).toArray();
    expect(left).toHaveLength(304);
    expect(left.every(({ live, drafted, submitted }) => live && !drafted && !submitted)).toBe(true);
  });

  it('should answer while blogs are left, and leave them to the background job', async () => {
    for (const state of STATES) await blogIn(state, ada, editor);
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
    const { status } = await remove(ada);
    timeout.mockRestore();
    expect(status).toBe(200);
    const marked = { purging: true, authorLeft: true };
    expect(await blogsOf(ada).toArray()).toEqual(STATES.map(() => expect.objectContaining(marked)));
    await purgeTheRest();
    const left = await blogsOf(ada).toArray();
    expect(left).toHaveLength(3);
    expect(left.every(({ purging }) => purging === undefined)).toBe(true);
  });

  it('should free the slugs of deleted blogs and of discarded drafts', async () => {
    const draft = await blogIn('draft', ada, editor);
    const live = await blogIn('live in review', ada, editor);
    await remove(ada);
    const create = (slug: string) => editor.client.post('/blog/author', blogBody({ slug }));
    expect((await create(draft.body.slug)).status).toBe(200);
    expect((await create(live.pending.slug)).status).toBe(200);
    expect((await create(live.body.slug)).status).toBe(400);
  });

  it('should refuse another password, or none, and delete nothing', async () => {
    const blog = await blogIn('draft', ada, editor);
    for (const password of ['wrong', '']) expect((await remove(ada, password)).body).toEqual(WRONG);
    for (const password of [null, { $ne: '' }]) {
      expect((await remove(ada, password)).status).toBe(422);
    }
    expect([await statusOf(ada), await statusOf(phone)]).toEqual([200, 200]);
    expect((await ada.client.get(`/blog/author/id/${blog._id}`)).status).toBe(200);
  });

  describe('by the last admin', () => {
    it('should be refused, and delete nothing', async () => {
      const blog = await blogIn('draft', editor, editor);
      const { status, body } = await remove(editor);
      expect([status, body.message]).toEqual([
        400,
        'the last enabled ADMIN cannot be demoted, disabled or deleted: make another one first',
      ]);
      expect((await editor.client.get(`/blog/author/id/${blog._id}`)).status).toBe(200);
    });

    it('should leave one of two who delete their accounts concurrently', async () => {
      const second = await person(server, 'ADMIN');
      const third = await person(server, 'ADMIN');
      await editor.client.put(`/admin/users/id/${third._id}/roles`, { roles: ['LEARNER'] });
      const outcomes = await Promise.all([remove(second), remove(editor)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400]);
    });
  });
});
