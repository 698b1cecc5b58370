import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { expectFieldErrors } from '../../support/checks/bad-bodies.js';
import { person, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY, holdClock } from '../../support/time/clock.js';

const PATH = '/auth/tokens';

interface Created {
  readonly _id: string;
  readonly token: string;
}

describe(PATH, () => {
  let server: TestApp;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp({ env: { ACCESS_TOKEN_TTL: '400d', SESSION_MAX_AGE: '500d' } });
  });

  beforeEach(async () => {
    ada = await person(server, 'AUTHOR');
  });

  const records = () => server.db.collection('access_tokens');
  const acts = (_id: string) =>
    server.db
      .collection('audit')
      .find({ subject: new Types.ObjectId(_id) })
      .sort({ _id: 1 })
      .toArray();
  const create = async (body: object = {}, owner = ada): Promise<Created> => {
    const answer = await owner.client.post<Created>(PATH, { name: 'export', roles: [], ...body });
    expect(answer.status).toBe(200);
    return answer.body.data;
  };
  const inDays = (days: number, now = Date.now()): string =>
    new Date(now + days * DAY).toISOString();

  describe(`POST ${PATH}`, () => {
    it('should return a token for 90 days, which no later response contains, and record the act', async () => {
      const before = Date.now();
      const { status, body } = await ada.client.post(PATH, { name: ' export ', roles: ['AUTHOR'] });
      expect(status).toBe(200);
      const { token, ...view } = body.data;
      expect(token).toMatch(/^prt_[0-9A-Za-z]{49}$/);
      expect(view).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'export',
        roles: ['AUTHOR'],
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      });
      const lifetime = Date.parse(view.expiresAt) - Date.parse(view.createdAt);
      expect([lifetime, Date.parse(view.createdAt) >= before]).toEqual([90 * DAY, true]);
      const { body: list, text } = await ada.client.get(PATH);
      expect(list.data).toEqual([view]);
      expect(text).not.toContain(token);
      const stored = await records().findOne({ _id: new Types.ObjectId(view._id) });
      expect(stored?.['tokenHash']).toBe(createHash('sha256').update(token).digest('hex'));
      expect(JSON.stringify(stored)).not.toContain(token.slice(4));
      expect(await acts(view._id)).toEqual([
        expect.objectContaining({
          kind: 'token.created',
          actor: new Types.ObjectId(ada._id),
          details: { roles: ['AUTHOR'] },
          clientPrefix: '127.0.0.0/24',
        }),
      ]);
    });

    it.each([
      ['name', ' ', 'name must be 1 to 100 characters'],
      ['name', 'x'.repeat(101), 'name must be 1 to 100 characters'],
      ['roles', undefined, 'roles must be a list of 0 to 4 different roles'],
      ['roles', ['AUTHOR', 'AUTHOR'], 'roles must be a list of 0 to 4 different roles'],
      ['roles', ['AUTHOR', 'ADMIN'], 'roles must be among your own'],
      ['expiresAt', inDays(-1), 'expiresAt must be in the future, in a year at most'],
      ['expiresAt', inDays(367), 'expiresAt must be in the future, in a year at most'],
    ])('should refuse %s: %j', async (field, value, message) => {
      const body = { name: 'export', roles: [], [field]: value };
      expectFieldErrors(await ada.client.post(PATH, body), { field, message });
      expect((await ada.client.get(PATH)).body.data).toEqual([]);
    });

    it('should refuse a token beyond 50, until one of them is deleted or has expired', async () => {
      const [first, second] = [await create({ expiresAt: inDays(1) }), await create()];
      for (let count = 2; count < 50; count++) await create();
      const refused = await ada.client.post(PATH, { name: 'one more', roles: [] });
      expect([refused.status, refused.body.reason]).toEqual([400, 'too_many_tokens']);
      await ada.client.delete(`${PATH}/id/${second._id}`);
      await create();
      const clock = holdClock(server.app, Date.now() + 2 * DAY);
      await create();
      expect((await ada.client.get(PATH)).text).not.toContain(first._id);
      clock.release();
    });
  });

  it('should list the tokens of the caller only, newest first', async () => {
    const other = await person(server);
    const first = await create();
    const second = await create();
    await create({}, other);
    const { body } = await ada.client.get<Created[]>(PATH);
    expect(body.data.map(({ _id }) => _id)).toEqual([second._id, first._id]);
  });

  describe(`DELETE ${PATH}/id/:id`, () => {
    it('should delete the token, and record the act', async () => {
      const { _id, token } = await create();
      const { status, body } = await ada.client.delete(`${PATH}/id/${_id}`);
      expect([status, body]).toEqual([200, { code: '10000', status: 200, message: 'success' }]);
      expect((await ada.client.as(token).get('/profile/mine')).status).toBe(401);
      expect((await acts(_id)).map(({ kind }) => kind)).toEqual(['token.created', 'token.deleted']);
      expect((await ada.client.delete(`${PATH}/id/${_id}`)).body.reason).toBe('token_not_found');
    });

    it("should not find another user's token, and record nothing", async () => {
      const { _id, token } = await create();
      const other = await person(server);
      const { status, body } = await other.client.delete(`${PATH}/id/${_id}`);
      expect([status, body.reason]).toEqual([404, 'token_not_found']);
      expect((await ada.client.as(token).get('/profile/mine')).status).toBe(200);
      expect(await acts(_id)).toHaveLength(1);
    });
  });
});
