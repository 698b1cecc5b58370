import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { BAD_BODIES, expectBadBody, expectFieldErrors, NOT_TEXT } from '../support/bad-bodies.js';

const PATHS = ['/auth/refresh', '/auth/token/refresh'] as const;
const SPELLINGS = ['refresh_token', 'refreshToken'] as const;

describe.each(PATHS)('POST %s with a body that does not fit', (path) => {
  let server: TestApp;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp();
    ada = await person(server);
  });

  afterAll(async () => {
    await server.close();
  });

  it.each(
    SPELLINGS.flatMap((spelling) => [
      ...NOT_TEXT.map(([what, value]) => ({ what, spelling, value, reason: 'must be text' })),
      { what: 'an empty text', spelling, value: '', reason: 'must be 1 to 500 characters' },
      { what: 'blanks', spelling, value: '  ', reason: 'must be 1 to 500 characters' },
      {
        what: '501 characters',
        spelling,
        value: 'v'.repeat(501),
        reason: 'must be 1 to 500 characters',
      },
      { what: 'a NUL', spelling, value: 'v1\0', reason: 'must not contain NUL characters' },
      {
        what: 'a lone surrogate',
        spelling,
        value: 'v1\ud800',
        reason: 'must not contain unpaired surrogates',
      },
    ]),
  )('should refuse $what as $spelling', async ({ spelling, value, reason }) => {
    const { status, body } = await ada.client.post(path, { [spelling]: value });
    expect(status).toBe(422);
    expect(body.errors).toContainEqual({ field: spelling, message: `${spelling} ${reason}` });
    expect(body).not.toHaveProperty('data');
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

  it.each(BAD_BODIES)('should refuse $what as the body', async (badBody) => {
    const { rawBody } = badBody;
    expectBadBody(await ada.client.request('POST', path, { rawBody }), badBody);
  });
});
