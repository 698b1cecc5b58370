import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/client.js';
import { person, unknownId, type Person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { holdClock, MINUTE } from '../support/clock.js';

interface Route {
  readonly method: string;
  readonly path: string;
  /** Needs an access token; `expired-ok`: also an expired one. */
  readonly token: 'none' | 'required' | 'expired-ok';
  readonly role?: 'ADMIN';
  /** A request without a body is refused for its body. */
  readonly body?: true;
}

const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/auth/signup/basic', token: 'none', body: true },
  { method: 'POST', path: '/auth/signin/basic', token: 'none', body: true },
  { method: 'GET', path: '/auth/verify/apikey', token: 'none' },
  { method: 'POST', path: '/contact', token: 'none', body: true },
  { method: 'POST', path: '/auth/refresh', token: 'expired-ok', body: true },
  { method: 'POST', path: '/auth/token/refresh', token: 'expired-ok', body: true },
  { method: 'DELETE', path: '/auth/signout', token: 'required' },
  { method: 'POST', path: '/auth/signout', token: 'required' },
  { method: 'GET', path: '/profile/mine', token: 'required' },
  { method: 'PUT', path: '/profile/mine', token: 'required' },
  { method: 'GET', path: '/profile/id/:id', token: 'required' },
  { method: 'GET', path: '/admin/users', token: 'required', role: 'ADMIN' },
  { method: 'GET', path: '/admin/users/id/:id', token: 'required', role: 'ADMIN' },
  {
    method: 'PUT',
    path: '/admin/users/id/:id/roles',
    token: 'required',
    role: 'ADMIN',
    body: true,
  },
  {
    method: 'PUT',
    path: '/admin/users/id/:id/status',
    token: 'required',
    role: 'ADMIN',
    body: true,
  },
  { method: 'GET', path: '/admin/apikeys', token: 'required', role: 'ADMIN' },
  { method: 'POST', path: '/admin/apikeys', token: 'required', role: 'ADMIN' },
  { method: 'PUT', path: '/admin/apikeys/id/:id', token: 'required', role: 'ADMIN' },
  { method: 'DELETE', path: '/admin/apikeys/id/:id', token: 'required', role: 'ADMIN' },
  { method: 'GET', path: '/admin/messages', token: 'required', role: 'ADMIN' },
];

const NAMED = ROUTES.map((route) => ({ ...route, name: `${route.method} ${route.path}` }));
const GUARDED = NAMED.filter(({ token }) => token !== 'none');
const OF_ADMINS = NAMED.filter(({ role }) => role === 'ADMIN');
const WITH_ID = NAMED.filter(({ path }) => path.includes(':id'));
const MALFORMED_IDS = [
  '1',
  '66f1a2b3c4d5e6f708192a3',
  '66f1a2b3c4d5e6f708192a3b0',
  '66f1a2b3c4d5e6f708192a3g',
  '123456789012',
  '%00',
  '%7B%22$gt%22:%22%22%7D',
  '66f1a2b3-c4d5-e6f7-0819-2a3b00000000',
];

const DISABLED_KEY = 'a-key-that-is-disabled';
const EXPIRED_KEY = 'a-key-that-has-expired';

describe('access to the routes of accounts and administration', () => {
  let server: TestApp;
  let admin: Person;
  let learner: Person;
  let writer: Person;
  let expired: Person;
  let signedOut: Person;

  beforeAll(async () => {
    server = await startApp();
    await server.db.collection('api_keys').insertMany([
      { key: DISABLED_KEY, status: false },
      { key: EXPIRED_KEY, status: true, expiresAt: new Date(Date.now() - 1) },
    ]);
    admin = await person(server, 'ADMIN');
    learner = await person(server);
    writer = await person(server, 'AUTHOR', 'EDITOR');
    signedOut = await person(server, 'ADMIN');
    await signedOut.client.delete('/auth/signout');
    const clock = holdClock(server.app, Date.now() - 16 * MINUTE);
    expired = await person(server, 'ADMIN');
    clock.release();
  });

  afterAll(async () => {
    await server.close();
  });

  /** Without a body: a body is looked at only after key, token and role. */
  const send = (
    { method, path }: Route,
    headers: Record<string, string | null>,
  ): Promise<Answer<unknown>> =>
    server.client.request(method, path.replace(':id', unknownId()), { headers });

  const expectRefusal = (
    { status, body, headers }: Answer<unknown>,
    wanted: { status: number; code: string; message: string },
  ): void => {
    expect(body).toEqual(wanted);
    expect(status).toBe(wanted.status);
    expect(headers.get('cache-control')).toBe('no-store');
  };

  const bearer = ({ accessToken }: Person): { authorization: string } => ({
    authorization: `Bearer ${accessToken}`,
  });

  describe.each(NAMED)('$name', (route) => {
    it.each([
      ['no API key', { 'x-api-key': null }],
      ['an empty API key', { 'x-api-key': '' }],
      ['a blank API key', { 'x-api-key': '   ' }],
    ])('should refuse %s, whatever the token', async (_, headers) => {
      expectRefusal(await send(route, { ...bearer(admin), ...headers }), {
        status: 401,
        code: '10001',
        message: 'permission denied: missing x-api-key header',
      });
    });

    it.each([
      ['an unknown API key', 'a-key-that-nobody-has'],
      ['a disabled API key', DISABLED_KEY],
      ['an expired API key', EXPIRED_KEY],
      ['an API key in another case', API_KEY.toUpperCase()],
      ['two API keys', `${API_KEY}, ${API_KEY}`],
      ['an operator', '{"$gt":""}'],
      ['an API key that is too long', 'k'.repeat(257)],
    ])('should refuse %s, whatever the token', async (_, key) => {
      expectRefusal(await send(route, { ...bearer(admin), 'x-api-key': key }), {
        status: 403,
        code: '10001',
        message: 'permission denied: invalid x-api-key',
      });
    });
  });

  describe.each(GUARDED)('$name', (route) => {
    it('should refuse a request without a token', async () => {
      expectRefusal(await send(route, {}), {
        status: 401,
        code: '10003',
        message: 'missing access token: send it as "Authorization: Bearer <token>"',
      });
    });

    it.each([
      ['a token that is none', 'Bearer nonsense'],
      ['an empty token', 'Bearer '],
      ['another scheme', 'Basic YWRhOnNlY3JldA=='],
      ['a token without its scheme', ''],
      ['three dots', 'Bearer ...'],
    ])('should refuse %s', async (what, authorization) => {
      const sent = what === 'a token without its scheme' ? admin.accessToken : authorization;
      const answer = await send(route, { authorization: sent });
      expectRefusal(answer, { status: 401, code: '10003', message: 'invalid access token' });
      expect(answer.headers.get('instruction')).toBeNull();
    });

    it('should refuse the token of a session that has ended', async () => {
      const answer = await send(route, bearer(signedOut));
      expectRefusal(answer, {
        status: 401,
        code: '10003',
        message: 'the session has ended: sign in again',
      });
      expect(answer.headers.get('instruction')).toBeNull();
    });

    it('should treat an expired token as the route says', async () => {
      const answer = await send(route, bearer(expired));
      if (route.token === 'expired-ok') {
        expect(answer.status).toBe(422);
        return;
      }
      expectRefusal(answer, {
        status: 401,
        code: '10003',
        message: 'access token has expired',
      });
      expect(answer.headers.get('instruction')).toBe('refresh_token');
    });
  });

  describe.each(OF_ADMINS)('$name', (route) => {
    it.each(['learner', 'author and editor'])('should refuse a %s', async (who) => {
      const caller = who === 'learner' ? learner : writer;
      expectRefusal(await send(route, bearer(caller)), {
        status: 403,
        code: '10001',
        message: 'permission denied: does not have sufficient role',
      });
    });

    it('should look at the role before the id and the body', async () => {
      const headers = { ...bearer(learner), 'content-type': 'application/json' };
      const malformed = { ...route, path: route.path.replace(':id', 'nonsense') };
      expect((await send(malformed, headers)).status).toBe(403);
    });
  });

  describe.each(WITH_ID)('$name', ({ method, path }) => {
    it.each(MALFORMED_IDS)('should refuse the id %s, before it looks at the body', async (id) => {
      const { status, body } = await admin.client.request(method, path.replace(':id', id), {
        ...(method === 'PUT' ? { body: { roles: 'none', enabled: 'maybe' } } : {}),
      });
      expect(body).toEqual({
        code: '10001',
        status: 400,
        message: 'id must be 24 hexadecimal characters',
      });
      expect(status).toBe(400);
    });

    it('should answer 404 to an id that nobody has', async () => {
      const { status, body } = await admin.client.request(
        method,
        path.replace(':id', unknownId()),
        {
          ...(method === 'PUT' ? { body: { roles: ['LEARNER'], enabled: true } } : {}),
        },
      );
      const message = path.includes('apikeys') ? 'api key not found' : 'user not found';
      expect(body).toEqual({ code: '10001', status: 404, message });
      expect(status).toBe(404);
    });
  });

  it.each(NAMED.filter(({ token }) => token === 'none'))(
    'should not look at a token that $name does not need',
    async (route) => {
      const { status } = await send(route, { authorization: 'Bearer nonsense' });
      expect(status).toBe(route.body ? 422 : 200);
    },
  );
});

describe('GET /auth/verify/apikey', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  afterAll(async () => {
    await server.close();
  });

  it('should answer without data', async () => {
    const { status, body } = await server.client.get('/auth/verify/apikey');
    expect(status).toBe(200);
    expect(body).toEqual({ code: '10000', status: 200, message: 'success' });
  });
});
