import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { DAY, holdClock, HOUR, SECOND } from '../support/time/clock.js';
import { person, unique, type Person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';

/** How long a change of a key in the database may take to apply. */
const TWO_SECONDS = 2_000;
const INVALID = {
  code: '10001',
  status: 403,
  message: 'permission denied: invalid x-api-key',
  reason: 'api_key_invalid',
};
describe('the x-api-key header', () => {
  let server: TestApp;
  let second: TestApp;
  let admin: Person;

  beforeAll(async () => {
    server = await startApp();
    second = await startApp({ uri: server.uri });
    admin = await person(server, 'ADMIN');
  });

  const keys = () => server.db.collection('api_keys');
  const verify = (key: string, at: TestApp = server) =>
    at.client.with({ 'x-api-key': key }).get('/auth/verify/apikey');
  const works = async (key: string, at?: TestApp) => (await verify(key, at)).status === 200;

  const untilBothRefuse = (key: string) =>
    until(
      'both processes refuse the key',
      async () => !(await works(key)) && !(await works(key, second)),
      TWO_SECONDS,
    );
  const untilBothAccept = (key: string) =>
    until(
      'both processes accept the key',
      async () => (await works(key)) && (await works(key, second)),
      TWO_SECONDS,
    );

  /** A key that was created by the API and is cached in both processes. */
  const made = async (body: object = {}): Promise<{ _id: string; key: string }> => {
    const answer = await admin.client.post('/admin/apikeys', body);
    const { _id, key } = answer.body.data as { _id: string; key: string };
    await untilBothAccept(key);
    return { _id, key };
  };
  /** A key that was inserted into the collection and is cached in both processes. */
  const inserted = async (fields: object = {}): Promise<{ _id: Types.ObjectId; key: string }> => {
    const key = unique('by-hand');
    const { insertedId } = await keys().insertOne({ key, status: true, ...fields });
    await untilBothAccept(key);
    return { _id: insertedId, key };
  };

  it.each([
    ['an operator', '{"$gt":""}'],
    ['a pattern', '.*'],
    ['another case', API_KEY.toUpperCase()],
    ['the beginning of a key', API_KEY.slice(0, -1)],
    ['the same key twice', `${API_KEY}, ${API_KEY}`],
    ['characters outside ASCII', 'k\u00e9y'],
  ])('should be invalid for %s', async (_, key) => {
    expect((await verify(key)).body).toEqual(INVALID);
  });

  it('should be invalid when the header is sent twice', async () => {
    const response = await fetch(`${server.url}/auth/verify/apikey`, {
      headers: [
        ['x-api-key', API_KEY],
        ['x-api-key', 'another'],
      ],
    });
    expect(response.status).toBe(403);
  });

  it('should be invalid when it contains a stored hash', async () => {
    const { key } = await made();
    const keyHash = createHash('sha256').update(key).digest('hex');
    expect(await keys().countDocuments({ keyHash })).toBe(1);
    expect((await verify(keyHash)).body).toEqual(INVALID);
  });

  describe('with a key that was inserted by hand', () => {
    it('should work without a restart, in every process, with key and status only', async () => {
      const { key } = await inserted();
      expect((await verify(key)).body).toEqual({ code: '10000', status: 200, message: 'success' });
    });

    it('should work although it was refused as unknown before', async () => {
      const key = unique('late');
      expect(await works(key)).toBe(false);
      expect(await works(key, second)).toBe(false);
      await keys().insertOne({ key, status: true });
      await untilBothAccept(key);
    });

    it.each([
      [
        'null',
        { expiresAt: null, lastUsedAt: null, comments: null, permissions: null, version: null },
      ],
      ['those of the older server', { version: 1, permissions: ['GENERAL'], comments: ['web'] }],
      ['an end that is to come', { expiresAt: new Date(Date.now() + DAY) }],
    ])('should work with further fields that are %s', async (_, fields) => {
      const { key } = await inserted(fields);
      const { body } = await admin.client.get('/admin/apikeys');
      expect(body.data).toContainEqual(
        expect.objectContaining({ prefix: key.slice(0, Math.min(8, key.length / 2)) }),
      );
    });

    it.each([
      ['a status that is false', { status: false }],
      ['no status', { status: undefined }],
      ['a status that is null', { status: null }],
      ['an end that is over', { expiresAt: new Date(Date.now() - 1) }],
      ['an end that is no date', { expiresAt: '2099-01-01T00:00:00Z' }],
    ])('should not work with %s', async (_, fields) => {
      const key = unique('never');
      await keys().insertOne({ key, status: true, ...fields }, { ignoreUndefined: true });
      expect((await verify(key)).body).toEqual(INVALID);
      await keys().updateOne({ key }, { $set: { status: true }, $unset: { expiresAt: 1 } });
      await untilBothAccept(key);
    });
  });

  describe('with a key that is revoked', () => {
    it('should be refused while it is disabled through the API', async () => {
      const { _id, key } = await made();
      await admin.client.put(`/admin/apikeys/id/${_id}`, { enabled: false });
      await untilBothRefuse(key);
      expect((await verify(key)).body).toEqual(INVALID);
      await admin.client.put(`/admin/apikeys/id/${_id}`, { enabled: true });
      await untilBothAccept(key);
    });

    it('should be refused after it was deleted through the API', async () => {
      const { _id, key } = await made();
      await admin.client.delete(`/admin/apikeys/id/${_id}`);
      await untilBothRefuse(key);
      expect((await verify(key)).body).toEqual(INVALID);
    });

    it('should be refused after the API has set a past expiry', async () => {
      const { _id, key } = await made();
      const expiresAt = new Date(Date.now() - SECOND).toISOString();
      await admin.client.put(`/admin/apikeys/id/${_id}`, { expiresAt });
      await untilBothRefuse(key);
      expect((await verify(key)).body).toEqual(INVALID);
      await admin.client.put(`/admin/apikeys/id/${_id}`, { expiresAt: null });
      await untilBothAccept(key);
    });

    it.each<[string, object]>([
      ['disabled', { $set: { status: false } }],
      ['expired', { $set: { expiresAt: new Date(0) } }],
      ['changed', { $set: { key: unique('changed') } }],
      ['hashed', { $set: { keyHash: 'f'.repeat(64) }, $unset: { key: 1 } }],
    ])('should be refused after the record was %s by hand', async (_, edit) => {
      const { _id, key } = await inserted();
      await keys().updateOne({ _id }, edit);
      await untilBothRefuse(key);
    });

    it('should be refused after the record was deleted by hand', async () => {
      const plain = await inserted();
      const hashed = await made();
      await keys().deleteMany({ _id: { $in: [plain._id, new Types.ObjectId(hashed._id)] } });
      await untilBothRefuse(plain.key);
      await untilBothRefuse(hashed.key);
    });

    it('should be replaced by the new key after the record was edited by hand', async () => {
      const { _id } = await inserted();
      const key = unique('renamed');
      await keys().updateOne({ _id }, { $set: { key } });
      await untilBothAccept(key);
    });
  });

  describe('with a key that expires', () => {
    it('should be accepted before the expiry, and not at it', async () => {
      const clock = holdClock(server.app);
      const { key } = await made({ expiresAt: new Date(clock.now() + HOUR).toISOString() });
      clock.advance(HOUR - 1);
      expect(await works(key)).toBe(true);
      clock.advance(1);
      expect((await verify(key)).body).toEqual(INVALID);
      clock.release();
    });
  });
});
