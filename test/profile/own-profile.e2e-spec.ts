import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { refusal } from '../support/checks/refusal.js';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

const PATH = '/profile/mine';
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

  /** The unchanged account with these fields. */
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
    const of = (_id: string) => eve.client.get(`/profile/id/${_id}`);

    it('should return id and name only, and a picture that is set', async () => {
      await reset();
      const { body, text, headers } = await of(ada._id);
      expect(headers.get('cache-control')).toBe('no-store');
      const data = { _id: ada._id, name: ada.name };
      expect(body).toEqual({ code: '10000', status: 200, message: 'success', data });
      expect(text).not.toContain(ada.email);
      expect((await ada.client.get(`/profile/id/${ada._id}`)).body.data).toEqual(data);
      await reset({ profilePicUrl: PICTURE });
      expect((await of(ada._id.toUpperCase())).body.data).toEqual({
        ...data,
        profilePicUrl: PICTURE,
      });
    });

    it('should return 404 after the account was deleted', async () => {
      const gone = { email: 'gone@example.org', name: 'Gone', password: 'x', roles: [] };
      const { insertedId } = await users().insertOne(gone);
      expect((await of(insertedId.toHexString())).status).toBe(200);
      await users().deleteOne({ _id: insertedId });
      server.invalidateCaches();
      const { body } = await of(insertedId.toHexString());
      expect(body).toEqual(refusal('user_not_found', 'user not found'));
    });
  });
});
