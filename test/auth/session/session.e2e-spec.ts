import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Answer } from '../../support/client.js';
import { account, PASSWORD } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY, holdClock, HOUR, SECOND, type HeldClock } from '../../support/time/clock.js';
import { openSession, type OpenSession } from '../../support/sessions.js';
import { SESSION_ENDED as ENDED } from '../../support/checks/refusal.js';

type Tokens = Pick<OpenSession, 'accessToken' | 'refreshToken'>;

/** Access tokens outlive the sessions here, so a request is refused only because its session has ended. */
describe('a session', () => {
  let server: TestApp;
  let clock: HeldClock;
  let ada: Awaited<ReturnType<typeof account>>;
  let phone: OpenSession;
  let laptop: OpenSession;
  let tablet: OpenSession;

  beforeAll(async () => {
    server = await startApp({ env: { ACCESS_TOKEN_TTL: '100d' } });
  });

  beforeEach(async () => {
    clock = holdClock(server.app);
    ada = await account(server);
    phone = await openSession(server, ada, 'phone');
    laptop = await openSession(server, ada, 'laptop');
    tablet = await openSession(server, ada, 'tablet');
  });

  afterEach(() => {
    clock.release();
  });

  const sessions = () => server.db.collection('sessions');
  const filterOf = ({ sid }: OpenSession) => ({ _id: new Types.ObjectId(sid) });
  const expiryOf = async (session: OpenSession): Promise<unknown> =>
    (await sessions().findOne(filterOf(session)))?.['expiresAt'];
  const at = (time: number) => new Date(time);
  const mine = ({ accessToken }: Tokens) => server.client.as(accessToken).get('/profile/mine');
  const isAlive = async (tokens: Tokens): Promise<boolean> => (await mine(tokens)).status === 200;
  const aliveOf = (...all: Tokens[]): Promise<boolean[]> => Promise.all(all.map(isAlive));
  const refresh = ({ accessToken, refreshToken }: Tokens): Promise<Answer<Tokens>> =>
    server.client.as(accessToken).post<Tokens>('/auth/refresh', { refresh_token: refreshToken });
  const renew = async (tokens: Tokens): Promise<Tokens> => {
    const { status, body } = await refresh(tokens);
    expect(status).toBe(200);
    return body.data;
  };
  const list = async ({ client }: OpenSession): Promise<{ _id: string }[]> =>
    (await client.get('/auth/sessions')).body.data;

  async function expectEnded(tokens: Tokens): Promise<void> {
    for (const answer of [await mine(tokens), await refresh(tokens)]) {
      expect(answer.body).toEqual(ENDED);
      expect(answer.headers.get('instruction')).toBeNull();
    }
  }

  it('should end after 14 days without a refresh, in spite of other requests', async () => {
    const opened = clock.now();
    expect(await expiryOf(phone)).toEqual(at(opened + 14 * DAY));
    clock.advance(14 * DAY - 1);
    const renewed = await renew(phone);
    expect(await expiryOf(phone)).toEqual(at(opened + 28 * DAY - 1));
    clock.advance(14 * DAY - 1);
    expect(await isAlive(renewed)).toBe(true);
    clock.advance(1);
    await expectEnded(renewed);
    // MongoDB deletes the record later, by its own clock.
    expect(await expiryOf(phone)).toEqual(at(opened + 28 * DAY - 1));
  });

  it('should end after 90 days in spite of refreshes', async () => {
    const opened = clock.now();
    let tokens: Tokens = phone;
    for (const day of [13, 26, 39, 52, 65, 78]) {
      clock.advance(13 * DAY);
      tokens = await renew(tokens);
      expect(await expiryOf(phone)).toEqual(at(opened + Math.min(day + 14, 90) * DAY));
    }
    clock.advance(12 * DAY - 1);
    tokens = await renew(tokens);
    expect(await isAlive(tokens)).toBe(true);
    clock.advance(1);
    await expectEnded(tokens);
  });

  it('should be valid only in the epoch of the account, which is 0 if none is stored', async () => {
    const users = server.db.collection('users');
    await users.updateOne({ email: ada.email }, { $unset: { epoch: 1 } });
    expect(await isAlive(phone)).toBe(true);
    await users.updateOne({ email: ada.email }, { $set: { epoch: -1 } });
    server.invalidateCaches();
    await expectEnded(phone);
  });

  describe('GET /auth/sessions', () => {
    it('should list the sessions of the caller, last used first, and mark the current one', async () => {
      const opened = clock.now();
      clock.advance(HOUR);
      await renew(phone);
      const viewOf = ({ sid: _id }: OpenSession, userAgent: string, usedAt: number) => ({
        _id,
        createdAt: at(opened).toISOString(),
        usedAt: at(usedAt).toISOString(),
        userAgent,
        device: userAgent,
        network: '127.0.0.0/24',
        current: userAgent === 'laptop',
      });
      expect(await list(laptop)).toEqual([
        viewOf(phone, 'phone', clock.now()),
        viewOf(tablet, 'tablet', opened),
        viewOf(laptop, 'laptop', opened),
      ]);
    });

    it('should omit sessions that have ended, have expired or are of an earlier epoch', async () => {
      await laptop.client.delete('/auth/signout');
      await sessions().updateOne(filterOf(tablet), { $set: { epoch: -1 } });
      const expired = await openSession(server, ada);
      // An expired record stays stored until MongoDB's TTL monitor runs, once a minute.
      await sessions().updateOne(filterOf(expired), { $set: { expiresAt: at(clock.now()) } });
      expect((await list(phone)).map(({ _id }) => _id)).toEqual([phone.sid]);
    });
  });

  // The matrix (test/access) tests the sessions of other users.
  describe('DELETE /auth/sessions', () => {
    it('should end one session of the caller at once', async () => {
      const { status, body } = await phone.client.delete(`/auth/sessions/id/${laptop.sid}`);
      expect([status, body.message]).toEqual([200, 'session ended successfully']);
      expect(body).not.toHaveProperty('data');
      expect(await aliveOf(phone, laptop, tablet)).toEqual([true, false, true]);
    });

    it('should return 404 for an expired session that is still stored', async () => {
      clock.advance(14 * DAY);
      const { client } = await openSession(server, ada);
      const { status, body } = await client.delete(`/auth/sessions/id/${laptop.sid}`);
      expect([status, body.message]).toEqual([404, 'session not found']);
    });

    it('should end all sessions of the caller except the current one', async () => {
      const eve = await openSession(server, await account(server));
      const { status, body } = await phone.client.delete('/auth/sessions');
      expect([status, body.message]).toEqual([200, 'other sessions ended successfully']);
      expect(await aliveOf(phone, laptop, tablet, eve)).toEqual([true, false, false, true]);
      expect(await list(phone)).toHaveLength(1);
    });
  });

  // goserve has POST for this. Both methods have the same handler.
  it.each(['DELETE', 'POST'])('should be ended and deleted by %s /auth/signout', async (method) => {
    expect(await isAlive(phone)).toBe(true);
    const other = { sid: laptop.sid, _id: laptop.sid, refresh_token: laptop.refreshToken };
    const signOut = () => phone.client.request(method, '/auth/signout', { body: other });
    expect((await signOut()).body).toEqual({
      code: '10000',
      status: 200,
      message: 'signout success',
      warnings: [{ field: 'sid', message: 'sid is unknown here and was ignored' }],
    });
    await expectEnded(phone);
    expect((await signOut()).body).toEqual(ENDED);
    expect(await sessions().countDocuments(filterOf(phone))).toBe(0);
    expect(await aliveOf(laptop, tablet)).toEqual([true, true]);
  });

  describe('beyond the limit of 20 for each user', () => {
    it('should end the least recently used session', async () => {
      clock.advance(HOUR);
      await renew(phone);
      const more: OpenSession[] = [];
      const open = async (count: number): Promise<void> => {
        for (let number = 0; number < count; number++) {
          clock.advance(SECOND);
          more.push(await openSession(server, ada));
        }
      };
      await open(17);
      expect(await aliveOf(laptop, tablet)).toEqual([true, true]);
      expect(await list(phone)).toHaveLength(20);
      await open(2);
      expect(await aliveOf(laptop, tablet)).toEqual([false, false]);
      // The phone's session was opened before these two, but has been refreshed since.
      expect(await isAlive(phone)).toBe(true);
      expect(await aliveOf(...more)).toEqual(more.map(() => true));
    });

    it('should tell the sign-in that it has ended a valid one', async () => {
      const credentials = { email: ada.email, password: PASSWORD };
      const signIn = async () =>
        (await server.client.post('/auth/signin/basic', credentials)).body.warnings;
      for (let number = 0; number < 16; number++) await openSession(server, ada);
      expect(await signIn()).toBeUndefined();
      const warning =
        'the session that was used least recently has ended: an account has 20 at most';
      expect(await signIn()).toEqual([{ field: 'sessions', message: warning }]);
      for (const ended of [{ epoch: 1 }, { epoch: 0, expiresAt: new Date(0) }]) {
        await sessions().updateMany({ user: new Types.ObjectId(ada._id) }, { $set: ended });
        expect(await signIn()).toBeUndefined();
      }
    });

    it('should not stay stored, however many are opened at once', async () => {
      const opened = await Promise.all(Array.from({ length: 40 }, () => openSession(server, ada)));
      const stored = await sessions().countDocuments({ user: new Types.ObjectId(ada._id) });
      expect(stored).toBeLessThanOrEqual(20);
      const alive = await aliveOf(...opened);
      expect(alive.filter(Boolean)).toHaveLength(stored);
      expect(stored).toBeGreaterThan(0);
    });
  });
});
