import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, json, send } from '../platform/http/raw-http.js';
import { validQuery } from '../routes/calls.js';
import { API_ROUTES } from '../routes/routes.js';
import { person, type Person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';

const KEY = { 'x-api-key': API_KEY };
const IDS = [
  '1',
  '66f1a2b3c4d5e6f708192a3',
  '66f1a2b3c4d5e6f708192a3b0',
  '66f1a2b3c4d5e6f708192a3g',
  'z'.repeat(24),
  '123456789012',
  '66f1a2b3-c4d5-e6f7-0819-2a3b00000000',
  '%00',
  '%24ne',
  '%7B%22$gt%22:%22%22%7D',
  '[object%20Object]',
];
/** No route reads a body like this. */
const INVALID_BODY = JSON.stringify({ title: 1, roles: 'none', enabled: 'maybe', comment: 0 });

const WITH_ID = API_ROUTES.filter(({ path }) => path.includes(':id'));
const WITH_TOKEN = API_ROUTES.filter(({ access }) => access.token !== 'none');

describe('What is malformed', () => {
  let server: TestApp;
  let everyRole: Person;

  beforeAll(async () => {
    server = await startApp();
    everyRole = await person(server, 'AUTHOR', 'EDITOR', 'ADMIN');
  });

  it.each(WITH_ID)(
    'should be refused in the path of $route before the body is looked at',
    async (route) => {
      const { method, path } = route;
      const headers = { ...KEY, authorization: `Bearer ${everyRole.accessToken}` };
      const people = { otherAuthor: everyRole, editor: everyRole, userWithMaxSessions: everyRole };
      const query = validQuery(route, { people, caller: null, target: '' });
      const request = method === 'GET' ? { headers } : { ...json(INVALID_BODY, headers), method };
      for (const id of IDS) {
        const answer = await send(server.url, path.replace(':id', id) + query, request);
        // A further parameter is not filled in, and is malformed as well.
        expect(expectRefusal(answer, 400)).toMatch(/\bid must be 24 hexadecimal characters\b/);
      }
    },
  );

  it.each(WITH_TOKEN)(
    'should be refused in the authorization of $route',
    async ({ method, path }) => {
      const { accessToken, refreshToken } = everyRole;
      for (const authorization of [
        '',
        'Bearer ',
        'Bearer ...',
        `Bearer ${refreshToken}`,
        `Bearer ${accessToken} ${accessToken}`,
        `Basic ${accessToken}`,
        accessToken,
      ]) {
        const headers = { ...KEY, authorization };
        const answer = await send(server.url, path, { method, headers });
        expect(expectRefusal(answer, 401, '10003')).toBe('invalid access token');
        expect(answer.headers['instruction']).toBeUndefined();
      }
    },
  );
});
