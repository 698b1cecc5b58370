import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  badTexts,
  badUrls,
  expectFieldErrors,
  itRefusesBadBodies,
  urlOfLength,
} from '../support/checks/bad-bodies.js';
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

    it('should return the own account to each caller', async () => {
      expect((await eve.client.get(PATH)).body.data).toMatchObject({
        _id: eve._id,
        roles: [{ code: 'LEARNER' }],
      });
    });

    it('should show a picture that is set', async () => {
      await reset({ profilePicUrl: PICTURE });
      expect((await ada.client.get(PATH)).body.data).toMatchObject({ profilePicUrl: PICTURE });
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
      ['an empty object', {}],
      ['null', null],
      ['unknown fields alone', { email: 'new@example.org' }],
    ])('should change nothing for %s', async (_, body) => {
      await reset({ profilePicUrl: PICTURE });
      const before = await stored();
      expect((await update(body)).status).toBe(200);
      expect(await stored()).toEqual(before);
    });

    it('should ignore fields that are not part of a profile', async () => {
      await reset();
      const before = await stored();
      await update({
        name: 'Ada',
        _id: eve._id,
        email: 'new@example.org',
        password: 'another password',
        roles: ['ADMIN'],
        status: false,
        verified: true,
        epoch: 9,
        $set: { status: false },
      });
      const renamed = expect.any(Object) as unknown;
      expect(await stored()).toEqual({
        ...before,
        name: 'Ada',
        renamed,
        updatedAt: expect.any(Date),
      });
    });

    it.each([
      ['a name of one character', { name: 'A' }],
      ['a name of 200 emoji', { name: '😀'.repeat(200) }],
      ['a name that looks like an operator', { name: '$set' }],
      ['a picture of 500 characters', { profilePicUrl: urlOfLength(500) }],
      ['a picture from a host without a dot', { profilePicUrl: 'http://localhost:8080/a.png' }],
    ])('should accept %s', async (_, changes) => {
      await reset();
      expect((await update(changes)).body.data).toMatchObject(changes);
    });

    it('should trim the name and the picture', async () => {
      await reset();
      const { body } = await update({ name: ' Ada \n', profilePicUrl: ` ${PICTURE} ` });
      expect(body.data).toMatchObject({ name: 'Ada', profilePicUrl: PICTURE });
    });

    it.each([
      ...badTexts('name', { min: 1, max: 200, optional: true }),
      ...badUrls('profilePicUrl'),
    ])('should refuse $label as $field, and change nothing', async ({ field, value, message }) => {
      await reset();
      const before = await stored();
      const body = { name: 'Another name', profilePicUrl: PICTURE, [field]: value };
      expectFieldErrors(await update(body), { field, message });
      expect(await stored()).toEqual(before);
    });

    itRefusesBadBodies((options) => ada.client.request('PUT', PATH, options));
  });
});
