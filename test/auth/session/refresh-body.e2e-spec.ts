import { beforeAll, describe, expect, it } from '@jest/globals';
import { person, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import {
  expectFieldErrors,
  itRefusesBadBodies,
  NOT_TEXT,
  type BadValue,
} from '../../support/checks/bad-bodies.js';

const PATHS = ['/auth/refresh', '/auth/token/refresh'] as const;
const SPELLINGS = ['refresh_token', 'refreshToken'] as const;

const ANY_TEXT: readonly BadValue[] = [
  ['an unknown one', `v1.${'a'.repeat(43)}.${'0'.repeat(24)}.0.${'a'.repeat(43)}`],
  ['the JWT of an older server', `eyJhbGciOiJSUzI1NiJ9.${'e'.repeat(400)}.${'s'.repeat(342)}`],
  ['501 characters', 'v'.repeat(501)],
  ['10,000 characters that begin like one', `v1.${'a'.repeat(43)}.${'0'.repeat(10_000)}`],
  ['an empty text', ''],
  ['blanks', '  '],
  ['a NUL', 'v1\0'],
  ['a lone surrogate', 'v1\ud800'],
];

describe.each(PATHS)('POST %s with an invalid body', (path) => {
  let server: TestApp;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp();
    ada = await person(server);
  });

  it.each(
    SPELLINGS.flatMap((spelling) => NOT_TEXT.map(([label, value]) => ({ label, spelling, value }))),
  )('should refuse $label as $spelling', async ({ spelling, value }) => {
    const { status, body } = await ada.client.post(path, { [spelling]: value });
    expect(status).toBe(422);
    expect(body.errors).toContainEqual({ field: spelling, message: `${spelling} must be text` });
    expect(body).not.toHaveProperty('data');
  });

  // A client with the token of an older server must sign in again, which it does after a 401.
  it.each(
    SPELLINGS.flatMap((spelling) => ANY_TEXT.map(([label, value]) => ({ label, spelling, value }))),
  )('should respond to $label as $spelling as to an unknown token', async (one) => {
    const { status, body } = await ada.client.post(path, { [one.spelling]: one.value });
    expect({ status, body }).toEqual({
      status: 401,
      body: {
        code: '10001',
        status: 401,
        message: 'invalid refresh token: sign in again',
        reason: 'refresh_token_invalid',
      },
    });
    // The session is unchanged.
    expect((await ada.client.get('/profile/mine')).status).toBe(200);
  });

  it.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['null as refresh_token', { refresh_token: null }],
    ['another spelling', { token: 'v1' }],
  ])('should refuse %s', async (_, body) => {
    expectFieldErrors(await ada.client.post(path, body), {
      field: 'refresh_token',
      message: 'refresh_token is missing',
    });
  });

  itRefusesBadBodies((options) => ada.client.request('POST', path, options));
});
