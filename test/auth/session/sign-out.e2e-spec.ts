import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { person, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import { openSession, type OpenSession } from '../../support/sessions.js';
import { SESSION_ENDED as ENDED } from '../../support/checks/refusal.js';

describe('DELETE /auth/signout', () => {
  let server: TestApp;
  let second: TestApp;
  let ada: Person;
  let eve: Person;

  beforeAll(async () => {
    server = await startApp();
    second = await startApp({ uri: server.uri });
    ada = await person(server);
    eve = await person(server);
  });

  const signOut = ({ client }: OpenSession) => client.delete('/auth/signout');
  const statusOf = async ({ accessToken }: Pick<OpenSession, 'accessToken'>, at = server) =>
    (await at.client.as(accessToken).get('/profile/mine')).status;

  // POST is goserve's, with the same handler.
  it.each(['DELETE', 'POST'])('should respond to %s without data', async (method) => {
    const session = await openSession(server, ada);
    const { body } = await session.client.request(method, '/auth/signout');
    expect(body).toEqual({ code: '10000', status: 200, message: 'signout success' });
    expect(await statusOf(session)).toBe(401);
  });

  it('should end the session at once and delete its record', async () => {
    const session = await openSession(server, ada);
    expect(await statusOf(session)).toBe(200);
    await signOut(session);
    expect((await session.client.get('/profile/mine')).body).toEqual(ENDED);
    const refresh = { refresh_token: session.refreshToken };
    expect((await session.client.post('/auth/refresh', refresh)).body).toEqual(ENDED);
    expect((await signOut(session)).body).toEqual(ENDED);
    const _id = new Types.ObjectId(session.sid);
    expect(await server.db.collection('sessions').countDocuments({ _id })).toBe(0);
  });

  it('should end it within a second on other processes', async () => {
    const session = await openSession(server, ada);
    expect(await statusOf(session, second)).toBe(200);
    await signOut(session);
    await until(
      'the other process refuses',
      async () => (await statusOf(session, second)) === 401,
      1_000,
    );
  });

  it('should not affect other sessions', async () => {
    const [one, other] = [await openSession(server, ada), await openSession(server, ada)];
    await signOut(one);
    expect(await statusOf(other)).toBe(200);
    expect(await statusOf(eve)).toBe(200);
    expect(await statusOf(ada)).toBe(200);
  });

  it('should ignore a session in the body', async () => {
    const [one, other] = [await openSession(server, ada), await openSession(server, ada)];
    const body = { sid: other.sid, _id: other.sid, refresh_token: other.refreshToken };
    expect((await one.client.delete('/auth/signout', { body })).status).toBe(200);
    expect(await statusOf(one)).toBe(401);
    expect(await statusOf(other)).toBe(200);
  });
});
