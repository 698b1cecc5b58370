import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { DAY, holdClock, HOUR, SECOND } from '../support/clock.js';
import { person, unique, type Person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/wait.js';

/** How long a change of a key may take to be seen. */
const TWO_SECONDS = 2_000;
const INVALID = { code: '10001', status: 403, message: 'permission denied: invalid x-api-key' };
const MISSING = {
  code: '10001',
  status: 401,
  message: 'permission denied: missing x-api-key header',
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

  afterAll(async () => {
    await second.close();
    await server.close();
  });

  const keys = () => server.db.collection('api_keys');
  const verify = (key: string | null, at: TestApp = server) =>
    at.client.with({ 'x-api-key': key }).get('/auth/verify/apikey');
  const works = async (key: string, at?: TestApp) => (await verify(key, at)).status === 200;

  const untilBothRefuse = (key: string): Promise<void> =>
    until(
      'both processes refuse the key',
      async () => !(await works(key)) && !(await works(key, second)),
      TWO_SECONDS,
    );
  const untilBothAccept = (key: string): Promise<void> =>
    until(
      'both processes accept the key',
      async () => (await works(key)) && (await works(key, second)),
      TWO_SECONDS,
    );

  /** A key that the API has made, and both processes know. */
  const made = async (body: object = {}): Promise<{ _id: string; key: string }> => {
    const answer = await admin.client.post('/admin/apikeys', body);
    const { _id, key } = answer.body.data as { _id: string; key: string };
    await untilBothAccept(key);
    return { _id, key };
  };
  /** A key that an operator has put into the collection, and both processes know. */
  const inserted = async (fields: object = {}): Promise<{ _id: Types.ObjectId; key: string }> => {
    const key = unique('by-hand');
    const { insertedId } = await keys().insertOne({ key, status: true, ...fields });
    await untilBothAccept(key);
    return { _id: insertedId, key };
  };

  it.each([
    ['no key', null],
    ['an empty key', ''],
    ['blanks', '  '],
  ])('should be missing for %s', async (_, key) => {
    const { status, body } = await verify(key);
    expect(status).toBe(401);
    expect(body).toEqual(MISSING);
  });

  it.each([
    ['an unknown key', 'nobody-has-this'],
    ['a key of 257 characters', 'k'.repeat(257)],
    ['a very long key', 'k'.repeat(8_000)],
    ['an operator', '{"$gt":""}'],
    ['a pattern', '.*'],
    ['another case', API_KEY.toUpperCase()],
    ['the beginning of a key', API_KEY.slice(0, -1)],
    ['the same key twice', `${API_KEY}, ${API_KEY}`],
    ['characters outside ASCII', 'k\u00e9y'],
  ])('should be invalid for %s', async (_, key) => {
    const { status, body } = await verify(key);
    expect(status).toBe(403);
    expect(body).toEqual(INVALID);
  });

  it('should be invalid when the header is there twice', async () => {
    const response = await fetch(`${server.url}/auth/verify/apikey`, {
      headers: [
        ['x-api-key', API_KEY],
        ['x-api-key', 'another'],
      ],
    });
    expect(response.status).toBe(403);
  });

  it('should not be found by a stored hash that is presented as the key', async () => {
    const { key } = await made();
    const keyHash = createHash('sha256').update(key).digest('hex');
    expect(await keys().countDocuments({ keyHash })).toBe(1);
    expect((await verify(keyHash)).body).toEqual(INVALID);
  });

  it('should be asked for on an unknown id as well, and not for operators and health', async () => {
    const open = server.client.with({ 'x-api-key': null });
    for (const path of ['/health', '/health/live', '/.well-known/jwks.json']) {
      expect((await open.get(path)).status).toBe(200);
    }
    expect((await open.get('/blogs/latest')).body).toEqual(MISSING);
  });

  describe('with a key that was inserted by hand', () => {
    it('should work without a restart, on every process, with key and status alone', async () => {
      const { key } = await inserted();
      expect((await verify(key)).body).toEqual({ code: '10000', status: 200, message: 'success' });
    });

    it('should work after it was refused as unknown', async () => {
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

  describe('with a key that is taken back', () => {
    it('should stop when it is disabled through the API, and work once enabled again', async () => {
      const { _id, key } = await made();
      await admin.client.put(`/admin/apikeys/id/${_id}`, { enabled: false });
      await untilBothRefuse(key);
      expect((await verify(key)).body).toEqual(INVALID);
      await admin.client.put(`/admin/apikeys/id/${_id}`, { enabled: true });
      await untilBothAccept(key);
    });

    it('should stop when it is deleted through the API', async () => {
      const { _id, key } = await made();
      await admin.client.delete(`/admin/apikeys/id/${_id}`);
      await untilBothRefuse(key);
      expect((await verify(key)).body).toEqual(INVALID);
    });

    it('should stop when the API sets an end that is over', async () => {
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
    ])('should stop when the document is %s by a plain edit', async (_, edit) => {
      const { _id, key } = await inserted();
      await keys().updateOne({ _id }, edit);
      await untilBothRefuse(key);
    });

    it('should stop when the document is deleted by a plain edit', async () => {
      const plain = await inserted();
      const hashed = await made();
      await keys().deleteMany({ _id: { $in: [plain._id, new Types.ObjectId(hashed._id)] } });
      await untilBothRefuse(plain.key);
      await untilBothRefuse(hashed.key);
    });

    it('should follow a plain edit to its new key', async () => {
      const { _id } = await inserted();
      const key = unique('renamed');
      await keys().updateOne({ _id }, { $set: { key } });
      await untilBothAccept(key);
    });
  });

  describe('with a key that has an end', () => {
    it('should work until then, and not at it', async () => {
      const clock = holdClock(server.app);
      const { key } = await made({ expiresAt: new Date(clock.now() + HOUR).toISOString() });
      clock.advance(HOUR - 1);
      expect(await works(key)).toBe(true);
      clock.advance(1);
      expect((await verify(key)).body).toEqual(INVALID);
      clock.release();
    });
  });

  describe('lastUsedAt', () => {
    const lastUsedAt = async (_id: Types.ObjectId): Promise<number | undefined> =>
      ((await keys().findOne({ _id }))?.['lastUsedAt'] as Date | undefined)?.getTime();

    it('should be written when the key is used, at most once a minute', async () => {
      const clock = holdClock(server.app);
      const key = unique('used');
      const { insertedId: _id } = await keys().insertOne({ key, status: true });
      // In the order of the writes, so that the last one says that no other came before it.
      const seen: number[] = [];
      const stream = keys().watch([{ $match: { 'documentKey._id': _id } }]);
      stream.on('change', (change) => {
        if (change.operationType !== 'update') return;
        const { updatedFields } = change.updateDescription;
        seen.push((updatedFields?.['lastUsedAt'] as Date).getTime());
      });
      await until('the stream is open', () => (stream.resumeToken ?? null) !== null);

      const first = clock.now();
      await until('the first use is noted', async () => {
        expect(await works(key)).toBe(true);
        return (await lastUsedAt(_id)) === first;
      });
      for (const step of [1, 30 * SECOND, 29 * SECOND + 998]) {
        clock.advance(step);
        expect(await works(key)).toBe(true);
      }
      clock.advance(SECOND);
      const later = clock.now();
      await until('a later use is noted', async () => {
        expect(await works(key)).toBe(true);
        return (await lastUsedAt(_id)) === later;
      });
      await until('the stream has caught up', () => seen.includes(later));
      await stream.close();
      clock.release();
      expect([...new Set(seen)]).toEqual([first, later]);
    });

    it('should not be written by a request that is refused', async () => {
      const key = unique('refused');
      const { insertedId: _id } = await keys().insertOne({ key, status: false });
      expect(await works(key)).toBe(false);
      await keys().updateOne({ _id }, { $set: { status: true } });
      expect(await lastUsedAt(_id)).toBeUndefined();
      await untilBothAccept(key);
      await until('the use is noted', async () => (await lastUsedAt(_id)) !== undefined);
    });

    it('should change neither updatedAt nor anything else', async () => {
      const key = unique('quiet');
      const { insertedId: _id } = await keys().insertOne({
        key,
        status: true,
        updatedAt: new Date(0),
      });
      await untilBothAccept(key);
      await until('the use is noted', async () => (await lastUsedAt(_id)) !== undefined);
      expect(await keys().findOne({ _id })).toEqual({
        _id,
        key,
        status: true,
        updatedAt: new Date(0),
        lastUsedAt: expect.any(Date),
      });
    });
  });
});
