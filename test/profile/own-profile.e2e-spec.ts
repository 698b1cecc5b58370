import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { PasswordHasher } from '../../src/auth/password/password-hasher.js';
import { storeCopies, storedBlog } from '../blog/core/fixture.js';
import { runAccountJobs } from '../blog/handover/account-jobs.js';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { refusal } from '../support/checks/refusal.js';
import { blogBody, blogIn, PASSWORD, person, STATES, type Person } from '../support/factories.js';
import { openSession, type OpenSession } from '../support/sessions.js';
import { startApp, type TestApp } from '../support/start-app.js';

const PATH = '/profile/mine';
const WRONG_PASSWORD = refusal('wrong_password', 'invalid password');
const PICTURE = 'https://example.org/ada.png';

describe(PATH, () => {
  let server: TestApp;
  let ada: Person;
  let eve: Person;

  beforeAll(async () => {
    server = await startApp();
    ada = await person(server, 'AUTHOR', 'EDITOR', 'ADMIN');
    eve = await person(server);
  });

  const users = () => server.db.collection('users');
  const stored = () => users().findOne({ email: ada.email });
  const update = (body?: unknown) => ada.client.put(PATH, body);

  /** Resets the account, and then sets these fields. */
  const reset = async (fields: Record<string, unknown> = {}): Promise<void> => {
    const $set = { name: ada.name, updatedAt: new Date(0), ...fields };
    const $unset = 'profilePicUrl' in fields ? {} : { profilePicUrl: 1 as const };
    await users().updateOne({ email: ada.email }, { $set, $unset });
    server.invalidateCaches();
  };

  describe(`GET ${PATH}`, () => {
    it('should return the caller with sorted roles, without secrets', async () => {
      await reset();
      const { status, body, headers } = await ada.client.get(PATH);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      const role = (code: string) => ({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), code });
      expect(body).toEqual({
        code: '10000',
        status: 200,
        message: 'success',
        data: {
          _id: ada._id,
          email: ada.email,
          name: ada.name,
          roles: ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN'].map(role),
        },
      });
    });
  });

  describe(`PUT ${PATH}`, () => {
    it('should change the fields of the body and return the user', async () => {
      await reset();
      const changes = { name: 'Ada Lovelace', profilePicUrl: PICTURE };
      const { status, body } = await update(changes);
      expect(status).toBe(200);
      expect(body).toMatchObject({ code: '10000', status: 200, message: 'success' });
      expect(body.data).toMatchObject({ _id: ada._id, email: ada.email, ...changes });
      expect((await ada.client.get(PATH)).body.data).toEqual(body.data);
      expect(await stored()).toMatchObject(changes);
      expect((await stored())?.['updatedAt'].getTime()).toBeGreaterThan(0);
      expect((await eve.client.get(PATH)).body.data).toMatchObject({ name: eve.name });
    });

    it('should keep fields that the body does not have', async () => {
      await reset({ profilePicUrl: PICTURE });
      await update({ name: 'Only a name' });
      expect(await stored()).toMatchObject({ name: 'Only a name', profilePicUrl: PICTURE });
      await update({ profilePicUrl: 'http://example.org/b.png' });
      expect(await stored()).toMatchObject({
        name: 'Only a name',
        profilePicUrl: 'http://example.org/b.png',
      });
    });

    it('should remove the picture for null', async () => {
      await reset({ profilePicUrl: PICTURE });
      const { body } = await update({ profilePicUrl: null });
      expect(body.data).not.toHaveProperty('profilePicUrl');
      expect(await stored()).not.toHaveProperty('profilePicUrl');
      expect((await update({ profilePicUrl: null })).status).toBe(200);
    });

    it.each([
      ['no body', undefined],
      ['unknown fields alone', { email: 'new@example.org' }],
    ])('should change nothing for %s', async (_, body) => {
      await reset({ profilePicUrl: PICTURE });
      const before = await stored();
      expect((await update(body)).status).toBe(200);
      expect(await stored()).toEqual(before);
    });

    it.each([
      ['name', ' ', 'name must be 1 to 200 characters'],
      [
        'profilePicUrl',
        'javascript:alert(1)',
        'profilePicUrl must be an http or https URL of at most 500 characters',
      ],
    ])('should refuse %s, and change nothing: %j', async (field, value, message) => {
      await reset();
      const before = await stored();
      const body = { name: 'Another name', profilePicUrl: PICTURE, [field]: value };
      expectFieldErrors(await update(body), { field, message });
      expect(await stored()).toEqual(before);
    });
  });

  describe('GET /profile/id/:id', () => {
    const profileOf = (_id: string) => eve.client.get(`/profile/id/${_id}`);

    it('should return only id and name, and the picture if there is one', async () => {
      await reset();
      const { body, text, headers } = await profileOf(ada._id);
      expect(headers.get('cache-control')).toBe('no-store');
      const data = { _id: ada._id, name: ada.name };
      expect(body).toEqual({ code: '10000', status: 200, message: 'success', data });
      expect(text).not.toContain(ada.email);
      expect((await ada.client.get(`/profile/id/${ada._id}`)).body.data).toEqual(data);
      await reset({ profilePicUrl: PICTURE });
      expect((await profileOf(ada._id.toUpperCase())).body.data).toEqual({
        ...data,
        profilePicUrl: PICTURE,
      });
    });

    it('should return 404 after the account was deleted', async () => {
      const record = { email: 'gone@example.org', name: 'Gone', password: 'x', roles: [] };
      const { insertedId } = await users().insertOne(record);
      expect((await profileOf(insertedId.toHexString())).status).toBe(200);
      await users().deleteOne({ _id: insertedId });
      server.invalidateCaches();
      const { body } = await profileOf(insertedId.toHexString());
      expect(body).toEqual(refusal('user_not_found', 'user not found'));
    });
  });

  describe(`DELETE ${PATH}`, () => {
    let author: Person;
    let phone: OpenSession;

    beforeEach(async () => {
      author = await person(server, 'AUTHOR');
      phone = await openSession(server, author);
    });

    const remove = ({ client }: Pick<Person, 'client'>, password: unknown = PASSWORD) =>
      client.delete(PATH, { body: { password } });
    const statusOf = async ({ client }: Pick<Person, 'client'>): Promise<number> =>
      (await client.get(PATH)).status;
    const blogsOf = ({ _id }: Person) =>
      server.db.collection('blogs').find({ author: new Types.ObjectId(_id) });

    it('should refuse a wrong password, and a value that is no text, and delete nothing', async () => {
      const blog = await blogIn('draft', author, ada);
      for (const password of ['wrong', ''])
        expect((await remove(author, password)).body).toEqual(WRONG_PASSWORD);
      for (const password of [null, { $ne: '' }]) {
        expect((await remove(author, password)).status).toBe(422);
      }
      expect([await statusOf(author), await statusOf(phone)]).toEqual([200, 200]);
      expect((await author.client.get(`/blog/author/id/${blog._id}`)).status).toBe(200);
    });

    it('should refuse a sign-in during which the account is deleted, and leave no session', async () => {
      const hasher = server.app.get(PasswordHasher);
      const matches = hasher.matches.bind(hasher);
      let isRemoved = false;
      const spy = jest.spyOn(hasher, 'matches').mockImplementationOnce(async (password, hash) => {
        const isMatch = await matches(password, hash);
        isRemoved = (await remove(author)).status === 200;
        return isMatch;
      });
      const signIn = { email: author.email, password: PASSWORD };
      const { status, body } = await server.client.post('/auth/signin/basic', signIn);
      spy.mockRestore();
      expect(isRemoved).toBe(true);
      expect([status, body.message]).toEqual([401, 'invalid email or password']);
      const user = new Types.ObjectId(author._id);
      expect(await server.db.collection('sessions').countDocuments({ user })).toBe(0);
    });

    // The query-plan check fails this file if a command examines too many records.
    it('should keep hundreds of live blogs, and remove a few others', async () => {
      const { _id } = await blogIn('live', author, ada);
      const { live } = await storedBlog(server.db, _id);
      const copies = Array.from({ length: 300 }, () => (slug: string) => ({
        live: { ...live, slug },
      }));
      await storeCopies(server.db, _id, copies);
      for (const state of STATES) await blogIn(state, author, ada);
      expect((await remove(author)).status).toBe(200);
      await runAccountJobs(server);
      const remaining = await blogsOf(author).toArray();
      expect(remaining).toHaveLength(304);
      expect(
        remaining.every(({ live, drafted, submitted }) => live && !drafted && !submitted),
      ).toBe(true);
    });

    it('should free the slugs of deleted blogs and of discarded drafts', async () => {
      const draft = await blogIn('draft', author, ada);
      const live = await blogIn('live in review', author, ada);
      await remove(author);
      await runAccountJobs(server);
      const create = (slug: string) => ada.client.post('/blog/author', blogBody({ slug }));
      expect((await create(draft.body.slug)).status).toBe(200);
      expect((await create(live.pending.slug)).status).toBe(200);
      expect((await create(live.body.slug)).status).toBe(400);
    });

    it('should be refused to the last admin, and delete nothing', async () => {
      const blog = await blogIn('draft', ada, ada);
      const { status, body } = await remove(ada);
      expect([status, body.message]).toEqual([
        400,
        'the last enabled ADMIN cannot be demoted, disabled or deleted: make another one first',
      ]);
      expect((await ada.client.get(`/blog/author/id/${blog._id}`)).status).toBe(200);
    });

    // This test comes last, because it deletes one of the two accounts.
    it('should leave one of two admins who delete their accounts concurrently', async () => {
      const second = await person(server, 'ADMIN');
      const outcomes = await Promise.all([remove(second), remove(ada)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400]);
    });
  });
});
