import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { SCOPE_NAMES } from '../../src/platform/http/access/key-scopes/key-scope.js';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { person, unique, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';

const PATH = '/admin/apikeys';
const EXPIRES_AT = '2030-01-01T00:00:00.000Z';
const TIME_MESSAGE = 'expiresAt must be a point in time such as 2030-01-01T00:00:00Z';
const PAST_MESSAGE = 'expiresAt must be in the future: to end the key now, disable it';
const SCOPES_MESSAGE = 'scopes must be a list of 1 to 7 different scopes';
const BAD_FIELDS = [
  ['comment', null, 'comment is missing'],
  ['comment', ' ', 'comment must be 1 to 200 characters'],
  ['comment', 'x'.repeat(201), 'comment must be 1 to 200 characters'],
  ['expiresAt', '2030-01-01', TIME_MESSAGE],
  ['expiresAt', 1_900_000_000_000, TIME_MESSAGE],
  ['expiresAt', '2020-01-01T00:00:00Z', PAST_MESSAGE],
  ['scopes', null, SCOPES_MESSAGE],
  ['scopes', [], SCOPES_MESSAGE],
  ['scopes', 'read', SCOPES_MESSAGE],
  ['scopes', ['read', 'read'], SCOPES_MESSAGE],
] as const;

interface KeyView {
  readonly _id: string;
  readonly prefix: string;
  readonly createdAt: string;
}

describe(PATH, () => {
  let server: TestApp;
  let admin: Person;

  beforeAll(async () => {
    server = await startApp();
    admin = await person(server, 'ADMIN');
  });

  const keys = () => server.db.collection('api_keys');
  const stored = (_id: string) => keys().findOne({ _id: new Types.ObjectId(_id) });
  const create = async (body?: unknown): Promise<{ _id: string; key: string; prefix: string }> => {
    const answer = await admin.client.post(PATH, body);
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  const listed = async (_id: string): Promise<object | undefined> => {
    const { body } = await admin.client.get<KeyView[]>(PATH);
    return body.data.find((view) => view._id === _id);
  };
  const works = async (key: string): Promise<boolean> =>
    (await server.client.with({ 'x-api-key': key }).get('/auth/verify/apikey')).status === 200;

  describe(`POST ${PATH}`, () => {
    it('should return a valid key, which no later response contains', async () => {
      const comment = 'mobile app';
      const { status, body } = await admin.client.post(PATH, { comment, expiresAt: EXPIRES_AT });
      expect(status).toBe(200);
      const { key, ...view } = body.data;
      expect(body).toEqual({
        code: '10000',
        status: 200,
        message: 'success',
        data: {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/),
          key: expect.stringMatching(/^pr_[0-9A-Za-z]{49}$/),
          prefix: key.slice(0, 8),
          comment,
          enabled: true,
          scopes: SCOPE_NAMES,
          expiresAt: EXPIRES_AT,
          createdAt: expect.any(String),
        },
      });
      expect(await listed(view._id as string)).toEqual(view);
      await until('the new key works', () => works(key as string), 2_000);
    });

    it('should store a hash and not the key', async () => {
      const { _id, key } = await create({ comment: 'hashed' });
      const document = await stored(_id);
      expect(document).toEqual({
        _id: new Types.ObjectId(_id),
        keyHash: createHash('sha256').update(key).digest('hex'),
        prefix: key.slice(0, 8),
        version: 1,
        permissions: ['GENERAL'],
        comments: ['hashed'],
        status: true,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
      expect(JSON.stringify(document)).not.toContain(key.slice(8));
    });

    it('should create a key without comment and expiry if there is no body', async () => {
      const { _id } = await create();
      expect(await listed(_id)).toEqual({
        _id,
        prefix: expect.any(String),
        enabled: true,
        scopes: SCOPE_NAMES,
        createdAt: expect.any(String),
      });
    });

    it.each(BAD_FIELDS)('should refuse %s: %j', async (field, value, message) => {
      const before = await keys().countDocuments();
      expectFieldErrors(await admin.client.post(PATH, { [field]: value }), { field, message });
      expect(await keys().countDocuments()).toBe(before);
    });
  });

  describe(`GET ${PATH}`, () => {
    it('should list stored keys of every kind, newest first, but not their text or hash', async () => {
      const plain = unique('a-plain-key');
      const createdAt = new Date();
      await keys().insertOne({ key: plain, status: true, comments: ['by', 'hand'], createdAt });
      const { key } = await create({ comment: 'newest' });
      const { status, body, text, headers } = await admin.client.get<KeyView[]>(PATH);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body.data.slice(0, 2)).toEqual([
        expect.objectContaining({ prefix: key.slice(0, 8), comment: 'newest', enabled: true }),
        expect.objectContaining({ prefix: 'a-plain-', comment: 'by, hand', enabled: true }),
      ]);
      const times = body.data.map(({ createdAt: time }) => time);
      expect(times).toEqual([...times].sort().reverse());
      for (const document of await keys().find().toArray()) {
        const { key: storedKey, keyHash } = document as { key?: string; keyHash?: string };
        expect(text).not.toContain(`"${storedKey ?? keyHash}"`);
      }
    });
  });

  describe(`PUT ${PATH}/id/:id`, () => {
    const change = (_id: string, body?: unknown) => admin.client.put(`${PATH}/id/${_id}`, body);

    it('should change the fields of the body and return the view', async () => {
      const { _id, prefix } = await create({ comment: 'before' });
      const changes = {
        enabled: false,
        comment: 'after',
        expiresAt: EXPIRES_AT,
        scopes: ['read', 'feeds'],
      };
      const { status, body } = await change(_id, changes);
      expect(status).toBe(200);
      expect(body).toEqual({
        code: '10000',
        status: 200,
        message: 'success',
        data: { _id, prefix, ...changes, createdAt: expect.any(String) },
      });
      expect(await listed(_id)).toEqual(body.data);
    });

    it('should accept the stored expiry after it has passed, with other changes', async () => {
      const { _id } = await create({ comment: 'late' });
      const expiresAt = new Date(0);
      await keys().updateOne({ _id: new Types.ObjectId(_id) }, { $set: { expiresAt } });
      const { status, body } = await change(_id, { ...(await listed(_id)), enabled: false });
      expect([status, body.data]).toEqual([
        200,
        expect.objectContaining({ enabled: false, expiresAt: expiresAt.toISOString() }),
      ]);
      expect(body).not.toHaveProperty('warnings');
    });

    it('should remove expiry and scopes if they are null', async () => {
      const { _id } = await create({ comment: 'kept', expiresAt: EXPIRES_AT, scopes: ['read'] });
      const { body } = await change(_id, { expiresAt: null, scopes: null });
      expect(body.data).not.toHaveProperty('expiresAt');
      expect(body.data.scopes).toEqual(SCOPE_NAMES);
      expect(body.data).toMatchObject({ comment: 'kept', enabled: true });
      for (const field of ['expiresAt', 'scopes']) {
        expect(await stored(_id)).not.toHaveProperty(field);
      }
    });

    it.each([
      ['no body', undefined],
      ['unknown fields alone', { key: 'mine', keyHash: 'f'.repeat(64), status: false }],
    ])('should change nothing for %s', async (_, body) => {
      const { _id } = await create({ comment: 'kept', expiresAt: EXPIRES_AT });
      const before = await stored(_id);
      expect((await change(_id, body)).status).toBe(200);
      expect(await stored(_id)).toEqual({ ...before, updatedAt: expect.any(Date) });
    });

    it('should change a plain key that was inserted by hand', async () => {
      const { insertedId } = await keys().insertOne({ key: unique('plain'), status: true });
      const _id = insertedId.toHexString();
      const { body } = await change(_id, { enabled: false, comment: 'no longer' });
      expect(body.data).toMatchObject({ enabled: false, comment: 'no longer' });
    });

    it.each([
      ['comment', ' ', 'comment must be 1 to 200 characters'],
      ['expiresAt', '2030-01-01', TIME_MESSAGE],
      ['enabled', null, 'enabled must be true or false'],
      ['scopes', [], SCOPES_MESSAGE],
    ] as const)('should refuse %s: %j, and change nothing', async (field, value, message) => {
      const { _id } = await create({ comment: 'kept' });
      const before = await stored(_id);
      const body = { enabled: false, comment: 'other', expiresAt: EXPIRES_AT, [field]: value };
      expectFieldErrors(await change(_id, body), { field, message });
      expect(await stored(_id)).toEqual(before);
    });
  });

  describe(`DELETE ${PATH}/id/:id`, () => {
    it('should delete the key and respond without data', async () => {
      const { _id } = await create();
      const { status, body } = await admin.client.delete(`${PATH}/id/${_id}`);
      expect(status).toBe(200);
      expect(body).toEqual({ code: '10000', status: 200, message: 'success' });
      expect(await stored(_id)).toBeNull();
      expect(await listed(_id)).toBeUndefined();
    });
  });
});
