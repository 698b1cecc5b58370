import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { holdClock, HOUR, SECOND } from '../../support/time/clock.js';
import { person, unknownId, type Person } from '../../support/factories.js';
import { openSession, type OpenSession } from '../../support/sessions.js';
import { startApp, type TestApp } from '../../support/start-app.js';

interface Listed {
  readonly _id: string;
  readonly createdAt: string;
  readonly usedAt: string;
  readonly userAgent: string;
  readonly current: boolean;
}

describe('a user and their sessions', () => {
  let server: TestApp;
  let eve: Person;
  let ada: Person;
  let phone: OpenSession;
  let laptop: OpenSession;

  beforeAll(async () => {
    // Long, so that tests can move the clock without a refresh.
    server = await startApp({ env: { ACCESS_TOKEN_TTL: '1d' } });
    eve = await person(server, 'ADMIN');
  });

  beforeEach(async () => {
    ada = await person(server);
    phone = await openSession(server, ada, 'phone');
    laptop = await openSession(server, ada, 'laptop');
  });

  const list = async ({ client }: Pick<OpenSession, 'client'>): Promise<Listed[]> =>
    (await client.get<Listed[]>('/auth/sessions')).body.data;
  const isAlive = async ({ client }: Pick<OpenSession, 'client'>): Promise<boolean> =>
    (await client.get('/profile/mine')).status === 200;
  const sessions = () => server.db.collection('sessions');

  describe('GET /auth/sessions', () => {
    it('should list their own sessions, the last used first, and mark the current one', async () => {
      const listed = await list(phone);
      expect(listed.map(({ _id }) => _id).slice(0, 2)).toEqual([laptop.sid, phone.sid]);
      expect(listed).toHaveLength(3);
      expect(listed.map(({ current }) => current)).toEqual([false, true, false]);
      expect(listed.map(({ userAgent }) => userAgent).slice(0, 2)).toEqual(['laptop', 'phone']);
      const stored = await sessions().findOne({ _id: new Types.ObjectId(phone.sid) });
      expect(listed[1]).toEqual({
        _id: phone.sid,
        createdAt: (stored?.['createdAt'] as Date).toISOString(),
        usedAt: (stored?.['usedAt'] as Date).toISOString(),
        userAgent: 'phone',
        current: true,
      });
    });

    it('should show when a session was last refreshed', async () => {
      const clock = holdClock(server.app, Date.now() + HOUR);
      const refreshed = await server.client
        .as(phone.accessToken)
        .post('/auth/refresh', { refresh_token: phone.refreshToken });
      clock.release();
      expect(refreshed.status).toBe(200);
      const [first] = await list(laptop);
      expect(first).toMatchObject({ _id: phone.sid, current: false });
      expect(Date.parse(first?.usedAt ?? '')).toBe(clock.now());
      expect(Date.parse(first?.createdAt ?? '')).toBeLessThan(clock.now());
    });

    it('should omit ended and expired sessions', async () => {
      await laptop.client.delete('/auth/signout');
      const expired = await openSession(server, ada);
      await sessions().updateOne(
        { _id: new Types.ObjectId(expired.sid) },
        // MongoDB's TTL monitor deletes expired records within a minute.
        { $set: { expiresAt: new Date(Date.now() - SECOND) } },
      );
      const ids = (await list(phone)).map(({ _id }) => _id);
      expect(ids).toContain(phone.sid);
      expect(ids).not.toContain(laptop.sid);
      expect(ids).not.toContain(expired.sid);
    });

    it('should omit a session of an earlier epoch', async () => {
      await sessions().updateOne({ _id: new Types.ObjectId(laptop.sid) }, { $set: { epoch: -1 } });
      expect((await list(phone)).map(({ _id }) => _id)).not.toContain(laptop.sid);
    });
  });

  describe('DELETE /auth/sessions/id/:id', () => {
    it('should end an own session at once', async () => {
      const { status, body } = await phone.client.delete(`/auth/sessions/id/${laptop.sid}`);
      expect([status, body.message]).toEqual([200, 'session ended successfully']);
      expect(body).not.toHaveProperty('data');
      expect([await isAlive(phone), await isAlive(laptop), await isAlive(ada)]).toEqual([
        true,
        false,
        true,
      ]);
    });

    it('should end the current session, like signing out', async () => {
      expect((await phone.client.delete(`/auth/sessions/id/${phone.sid}`)).status).toBe(200);
      expect(await isAlive(phone)).toBe(false);
      expect(await isAlive(laptop)).toBe(true);
    });

    it('should return 404 for a session of another user, also to an admin', async () => {
      const unknown = await eve.client.delete(`/auth/sessions/id/${unknownId()}`);
      const others = await eve.client.delete(`/auth/sessions/id/${phone.sid}`);
      expect([others.status, others.text]).toEqual([404, unknown.text]);
      expect(others.body.message).toBe('session not found');
      expect(await isAlive(phone)).toBe(true);
    });

    it('should return 404 for an expired session, whether it is still stored or not', async () => {
      // Expired by the clock of the server, but not by that of MongoDB, which would delete it.
      const clock = holdClock(server.app, Date.now() + 14 * 24 * HOUR);
      try {
        const { client } = await openSession(server, ada);
        const { status, body } = await client.delete(`/auth/sessions/id/${laptop.sid}`);
        expect([status, body.message]).toEqual([404, 'session not found']);
      } finally {
        clock.release();
      }
    });
  });

  describe('DELETE /auth/sessions', () => {
    it('should end all own sessions except the current one', async () => {
      const { status, body } = await phone.client.delete('/auth/sessions');
      expect([status, body.message]).toEqual([200, 'other sessions ended successfully']);
      expect([await isAlive(phone), await isAlive(laptop), await isAlive(ada)]).toEqual([
        true,
        false,
        false,
      ]);
      expect(await isAlive(eve)).toBe(true);
      expect(await list(phone)).toHaveLength(1);
    });
  });

  describe('the twenty-first session', () => {
    it('should end the least recently used one', async () => {
      const clock = holdClock(server.app, Date.now() + HOUR);
      await phone.client.post('/auth/refresh', { refresh_token: phone.refreshToken });
      // Three exist: the sign-in, the phone and the laptop.
      const more: OpenSession[] = [];
      for (let number = 0; number < 17; number++) {
        clock.advance(SECOND);
        more.push(await openSession(server, ada));
      }
      expect(await isAlive(ada)).toBe(true);
      expect(await list(phone)).toHaveLength(20);
      clock.advance(SECOND);
      const last = await openSession(server, ada);
      expect(await isAlive(ada)).toBe(false);
      clock.advance(SECOND);
      await openSession(server, ada);
      expect(await isAlive(laptop)).toBe(false);
      // Opened before the laptop's session, but refreshed since.
      expect(await isAlive(phone)).toBe(true);
      expect(await isAlive(last)).toBe(true);
      expect(await Promise.all(more.map(isAlive))).toEqual(more.map(() => true));
      clock.release();
    });

    it('should not be stored, however many are opened at once', async () => {
      const opened = await Promise.all(Array.from({ length: 40 }, () => openSession(server, ada)));
      const user = new Types.ObjectId(ada._id);
      const stored = await sessions().countDocuments({ user });
      expect(stored).toBeLessThanOrEqual(20);
      const alive = await Promise.all(opened.map(isAlive));
      expect(alive.filter(Boolean)).toHaveLength(stored);
      expect(stored).toBeGreaterThan(0);
    });
  });
});
