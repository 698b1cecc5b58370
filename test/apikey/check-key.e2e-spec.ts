import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Types } from 'mongoose';
import { holdClock, HOUR, SECOND } from '../support/time/clock.js';
import { person, unique, type Person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { untilOpen } from '../support/mongo/change-streams.js';
import { until } from '../support/time/wait.js';

const INVALID = {
  code: '10001',
  status: 403,
  message: 'permission denied: invalid x-api-key',
  reason: 'api_key_invalid',
};
const EXPIRED = { ...INVALID, reason: 'api_key_expired' };

describe('the x-api-key header', () => {
  let server: TestApp;
  let admin: Person;

  beforeAll(async () => {
    // The admin's token has to be valid after the test has moved the clock by an hour.
    server = await startApp({ env: { ACCESS_TOKEN_TTL: '1d' } });
    admin = await person(server, 'ADMIN');
  });

  const keys = () => server.db.collection('api_keys');
  const verify = (key: string) =>
    server.client.with({ 'x-api-key': key }).get('/auth/verify/apikey');
  const works = async (key: string) => (await verify(key)).status === 200;
  const untilAccepted = (key: string) => until('the key to be accepted', () => works(key), 2_000);

  /** Creates a key through the API. */
  const createKey = async (body: object = {}): Promise<{ _id: string; key: string }> =>
    (await admin.client.post('/admin/apikeys', body)).body.data;
  /** Inserts a key into the collection. */
  const insertKey = async (fields: object = {}): Promise<{ _id: Types.ObjectId; key: string }> => {
    const key = unique('by-hand');
    const { insertedId } = await keys().insertOne({ key, status: true, ...fields });
    return { _id: insertedId, key };
  };

  it.each([
    ['a query operator', '{"$gt":""}'],
    ['a pattern', '.*'],
    ['the key in upper case', API_KEY.toUpperCase()],
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
    const { key } = await createKey();
    const keyHash = createHash('sha256').update(key).digest('hex');
    expect(await keys().countDocuments({ keyHash })).toBe(1);
    expect((await verify(keyHash)).body).toEqual(INVALID);
  });

  describe('with a key that was inserted by hand', () => {
    it('should work if only key and status are stored, although it was refused as unknown before', async () => {
      const key = unique('late');
      expect(await works(key)).toBe(false);
      await keys().insertOne({ key, status: true });
      await untilAccepted(key);
      expect((await verify(key)).body).toEqual({ code: '10000', status: 200, message: 'success' });
    });

    it.each([
      [
        'null in each',
        { expiresAt: null, lastUsedAt: null, comments: null, permissions: null, version: null },
      ],
      ['those that goserve stores', { version: 1, permissions: ['GENERAL'], comments: ['web'] }],
    ])('should work with further fields: %s', async (_, fields) => {
      const { key } = await insertKey(fields);
      expect(await works(key)).toBe(true);
      const { body } = await admin.client.get('/admin/apikeys');
      expect(body.data).toContainEqual(
        expect.objectContaining({ prefix: key.slice(0, Math.min(8, key.length / 2)) }),
      );
    });

    // The matrix (test/access) tests a disabled key and an expired one.
    it.each([
      ['no status', { status: undefined }, INVALID],
      ['an expiry that is not a date', { expiresAt: '2099-01-01T00:00:00Z' }, EXPIRED],
    ])('should not work with %s', async (_, fields, refusal) => {
      const key = unique('never');
      await keys().insertOne({ key, status: true, ...fields }, { ignoreUndefined: true });
      expect((await verify(key)).body).toEqual(refusal);
      await keys().updateOne({ key }, { $set: { status: true }, $unset: { expiresAt: 1 } });
      await untilAccepted(key);
    });
  });

  // two-servers.e2e-spec.ts tests keys that are disabled or deleted, through the API and by hand.
  it('should be valid only with the new key after the record was edited by hand', async () => {
    const { _id, key: oldKey } = await insertKey();
    expect(await works(oldKey)).toBe(true);
    const key = unique('renamed');
    await keys().updateOne({ _id }, { $set: { key } });
    await untilAccepted(key);
    await until('the old key to be refused', async () => !(await works(oldKey)), 2_000);
  });

  it('should be valid until the millisecond before the expiry', async () => {
    const clock = holdClock(server.app);
    const { _id, key } = await createKey({ expiresAt: new Date(clock.now() + HOUR).toISOString() });
    clock.advance(HOUR - 1);
    expect(await works(key)).toBe(true);
    clock.advance(1);
    expect((await verify(key)).body).toEqual(EXPIRED);
    await admin.client.put(`/admin/apikeys/id/${_id}`, { expiresAt: null });
    expect(await works(key)).toBe(true);
    clock.release();
  });

  describe('with a stored key', () => {
    const lastUsedAt = async (_id: Types.ObjectId): Promise<number | undefined> =>
      ((await keys().findOne({ _id }))?.['lastUsedAt'] as Date | undefined)?.getTime();

    it('should set lastUsedAt at most once a minute, and change nothing else', async () => {
      const clock = holdClock(server.app);
      const { _id, key } = await insertKey({ updatedAt: new Date(0) });
      // The stream reports writes in their order: when it has reported the last one, it has reported all.
      const reportedTimes: number[] = [];
      const stream = keys().watch([{ $match: { 'documentKey._id': _id } }]);
      stream.on('change', (change) => {
        if (change.operationType !== 'update') return;
        const { updatedFields } = change.updateDescription;
        reportedTimes.push((updatedFields?.['lastUsedAt'] as Date).getTime());
      });
      await untilOpen(stream);

      const first = clock.now();
      await until('the first use is stored', async () => {
        expect(await works(key)).toBe(true);
        return (await lastUsedAt(_id)) === first;
      });
      for (const step of [1, 30 * SECOND, 29 * SECOND + 998]) {
        clock.advance(step);
        expect(await works(key)).toBe(true);
      }
      clock.advance(SECOND);
      const later = clock.now();
      await until('a later use is stored', async () => {
        expect(await works(key)).toBe(true);
        return (await lastUsedAt(_id)) === later;
      });
      await until('the stream has caught up', () => reportedTimes.includes(later));
      await stream.close();
      clock.release();
      expect([...new Set(reportedTimes)]).toEqual([first, later]);
      expect(await keys().findOne({ _id })).toEqual({
        _id,
        key,
        status: true,
        updatedAt: new Date(0),
        lastUsedAt: new Date(later),
      });
    });

    it('should not set lastUsedAt if the request is refused', async () => {
      const { _id, key } = await insertKey({ status: false });
      expect(await works(key)).toBe(false);
      await keys().updateOne({ _id }, { $set: { status: true } });
      expect(await lastUsedAt(_id)).toBeUndefined();
      await until('the key works', () => works(key));
      await until('the use is stored', async () => (await lastUsedAt(_id)) !== undefined);
    });
  });
});
