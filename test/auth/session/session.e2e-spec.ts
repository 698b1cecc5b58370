import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Answer } from '../../support/client.js';
import { person, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY, holdClock, HOUR, MINUTE, type HeldClock } from '../../support/time/clock.js';
import { openSession, type OpenSession } from '../../support/sessions.js';
import { SESSION_ENDED as ENDED } from '../../support/checks/refusal.js';

/** Access tokens live longer than the sessions here, so that the session's end is what is tested. */
describe('a session', () => {
  let server: TestApp;
  let ada: Person;
  let clock: HeldClock;

  beforeAll(async () => {
    const env = { ACCESS_TOKEN_TTL: '100d', REFRESH_IDLE_TTL: '2h', SESSION_MAX_AGE: '5h' };
    server = await startApp({ env });
    ada = await person(server);
  });

  beforeEach(() => {
    clock = holdClock(server.app);
  });

  afterEach(() => {
    clock.release();
  });

  type Tokens = Pick<OpenSession, 'accessToken' | 'refreshToken'>;

  const sessions = () => server.db.collection('sessions');
  const stored = ({ sid }: OpenSession) => sessions().findOne({ _id: new Types.ObjectId(sid) });
  const refresh = ({ accessToken, refreshToken }: Tokens): Promise<Answer<Tokens>> =>
    server.client.as(accessToken).post<Tokens>('/auth/refresh', { refresh_token: refreshToken });
  const refreshed = async (tokens: Tokens): Promise<Tokens> => {
    const { status, body } = await refresh(tokens);
    expect(status).toBe(200);
    return body.data;
  };
  const mine = ({ accessToken }: Tokens) => server.client.as(accessToken).get('/profile/mine');

  it('should end after the idle time without a refresh', async () => {
    const session = await openSession(server, ada);
    const opened = clock.now();
    expect((await stored(session))?.['expiresAt']).toEqual(new Date(opened + 2 * HOUR));
    clock.advance(2 * HOUR - 1);
    expect((await mine(session)).status).toBe(200);
    const renewed = await refreshed(session);
    expect((await stored(session))?.['expiresAt']).toEqual(new Date(opened + 4 * HOUR - 1));
    clock.advance(2 * HOUR);
    for (const answer of [await mine(renewed), await refresh(renewed)]) {
      expect(answer.body).toEqual(ENDED);
      expect(answer.headers.get('instruction')).toBeNull();
    }
    // MongoDB deletes the record later, by its own clock.
    expect(await stored(session)).not.toBeNull();
  });

  it('should be extended by refreshes, not by other requests', async () => {
    const session = await openSession(server, ada);
    clock.advance(HOUR);
    expect((await mine(session)).status).toBe(200);
    clock.advance(HOUR);
    expect((await mine(session)).status).toBe(401);
  });

  it('should end at its maximum age in spite of refreshes', async () => {
    const session = await openSession(server, ada);
    const end = clock.now() + 5 * HOUR;
    let tokens: Tokens = session;
    for (const step of [110, 110, 60]) {
      clock.advance(step * MINUTE);
      tokens = await refreshed(tokens);
    }
    expect((await stored(session))?.['expiresAt']).toEqual(new Date(end));
    clock.advance(end - clock.now() - 1);
    tokens = await refreshed(tokens);
    expect((await mine(tokens)).status).toBe(200);
    expect((await stored(session))?.['expiresAt']).toEqual(new Date(end));
    clock.advance(1);
    expect((await mine(tokens)).body).toEqual(ENDED);
    expect((await refresh(tokens)).body).toEqual(ENDED);
  });

  it('should refuse to repeat a refresh after its end', async () => {
    const session = await openSession(server, ada);
    clock.advance(2 * HOUR - 1);
    await refreshed(session);
    await sessions().updateOne(
      { _id: new Types.ObjectId(session.sid) },
      { $set: { expiresAt: new Date(clock.now() + 1) } },
    );
    await refreshed(session);
    clock.advance(1);
    expect((await refresh(session)).body).toEqual(ENDED);
  });

  it('should end when its record is deleted', async () => {
    const session = await openSession(server, ada);
    await sessions().deleteOne({ _id: new Types.ObjectId(session.sid) });
    expect((await mine(session)).body).toEqual(ENDED);
    expect((await refresh(session)).body).toEqual(ENDED);
  });

  it('should end with an earlier epoch of the account', async () => {
    const other = await person(server);
    const users = server.db.collection('users');
    const session = await openSession(server, other);
    expect((await mine(session)).status).toBe(200);
    await users.updateOne({ email: other.email }, { $inc: { epoch: -1 } });
    const { body } = await server.client.post('/auth/signin/basic', {
      email: other.email,
      password: 'correct horse battery',
    });
    expect((await mine(session)).body).toEqual(ENDED);
    expect((await refresh(session)).body).toEqual(ENDED);
    expect((await mine(body.data.tokens as Tokens)).status).toBe(200);
  });

  it('should treat an account without an epoch as epoch 0', async () => {
    const other = await person(server);
    const session = await openSession(server, other);
    await server.db.collection('users').updateOne({ email: other.email }, { $unset: { epoch: 1 } });
    expect((await mine(session)).status).toBe(200);
  });
});

describe('the default lifetime of a session', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  it('should be 14 days idle and 90 days at most', async () => {
    const clock = holdClock(server.app);
    const session = await openSession(server, await person(server));
    const opened = clock.now();
    const expiry = async (): Promise<number> => {
      const _id = new Types.ObjectId(session.sid);
      const stored = await server.db.collection('sessions').findOne({ _id });
      return (stored?.['expiresAt'] as Date).getTime() - opened;
    };
    expect(await expiry()).toBe(14 * DAY);
    let { refreshToken } = session;
    for (const day of [13, 26, 39, 52, 65, 78]) {
      clock.advance(13 * DAY);
      const { body } = await session.client.post('/auth/refresh', { refresh_token: refreshToken });
      refreshToken = body.data.refreshToken;
      expect(await expiry()).toBe(Math.min(day + 14, 90) * DAY);
    }
    clock.release();
  });
});
