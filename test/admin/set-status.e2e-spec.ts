import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { PASSWORD, person, signIn, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { until } from '../support/time/wait.js';
import { SESSION_ENDED as ENDED } from '../support/checks/refusal.js';

describe('PUT /admin/users/id/:id/status', () => {
  let server: TestApp;
  let second: TestApp;
  let admin: Person;

  beforeAll(async () => {
    server = await startApp();
    second = await startApp({ uri: server.uri });
    admin = await person(server, 'ADMIN');
  });

  const setEnabled = ({ _id }: Person, enabled: unknown) =>
    admin.client.put(`/admin/users/id/${_id}/status`, { enabled });
  const statusOf = async ({ accessToken }: Pick<Person, 'accessToken'>, at = server) =>
    (await at.client.as(accessToken).get('/profile/mine')).status;

  it('should return the account', async () => {
    const ada = await person(server, 'AUTHOR');
    const view = {
      _id: ada._id,
      email: ada.email,
      name: ada.name,
      roles: ['LEARNER', 'AUTHOR'].map((code) => ({ _id: expect.any(String), code })),
      createdAt: expect.any(String),
    };
    for (const enabled of [false, true]) {
      const { status, body } = await setEnabled(ada, enabled);
      expect(status).toBe(200);
      expect(body).toEqual({
        code: '10000',
        status: 200,
        message: 'success',
        data: { ...view, enabled },
      });
    }
  });

  it('should end all sessions at once, and not restore them when enabled', async () => {
    const ada = await person(server);
    const other = await signIn(server.client, ada.email);
    expect([await statusOf(ada), await statusOf(other)]).toEqual([200, 200]);
    await setEnabled(ada, false);
    expect((await ada.client.get('/profile/mine')).body).toEqual(ENDED);
    expect(await statusOf(other)).toBe(401);
    const refresh = { refresh_token: ada.refreshToken };
    expect((await ada.client.post('/auth/refresh', refresh)).body).toEqual(ENDED);

    await setEnabled(ada, true);
    expect([await statusOf(ada), await statusOf(other)]).toEqual([401, 401]);
    expect((await ada.client.post('/auth/refresh', refresh)).body).toEqual(ENDED);
    expect(await statusOf(await signIn(server.client, ada.email))).toBe(200);
  });

  it('should end them within a second on other processes', async () => {
    const ada = await person(server);
    expect(await statusOf(ada, second)).toBe(200);
    await setEnabled(ada, false);
    await until(
      'the other process refuses',
      async () => (await statusOf(ada, second)) === 401,
      1_000,
    );
  });

  it('should keep the email address registered', async () => {
    const ada = await person(server);
    await setEnabled(ada, false);
    const { body } = await server.client.post('/auth/signup/basic', {
      email: ada.email,
      password: PASSWORD,
      name: 'Another',
    });
    expect(body).toMatchObject({ status: 400, message: 'user already registered' });
  });

  it('should not end sessions when the account is enabled already', async () => {
    const ada = await person(server);
    expect((await setEnabled(ada, true)).status).toBe(200);
    expect(await statusOf(ada)).toBe(200);
  });

  it.each([undefined, null, 'false', 0, { $ne: true }])('should refuse %j', async (enabled) => {
    const ada = await person(server);
    const message = 'enabled must be true or false';
    expectFieldErrors(await setEnabled(ada, enabled), { field: 'enabled', message });
    expect(await statusOf(ada)).toBe(200);
  });
});
