import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../support/start-app.js';

/** sign-up.e2e-spec.ts tests the length. PUT /auth/password has the same rules. */
describe('the password of POST /auth/signup/basic', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  const PERSON = { email: 'grace@example.org', name: 'Grace Hopper' };
  const signUp = (password: string, person = PERSON) =>
    server.client.post('/auth/signup/basic', { ...person, password });

  it.each([
    ['the most common of all', 'password'],
    ['a common one in capitals', 'QWERTYUIOP'],
    ['a common one of digits', '1234567890'],
  ])('should not be %s', async (_, password) => {
    const { status, body } = await signUp(password);
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      {
        field: 'password',
        message: 'password is one of the most common passwords: choose another one',
      },
    ]);
  });

  it.each(['grace@example.org', 'GRACE@example.org', 'Grace Hopper', 'grace hopper'])(
    'should not be the email address or name: %s',
    async (password) => {
      const { status, body } = await signUp(password);
      expect(status).toBe(422);
      expect(body.message).toBe('validation error: password must not be your address or name');
    },
  );

  it('should create no account when it is refused', async () => {
    await signUp('password');
    expect(await server.db.collection('users').countDocuments({ email: PERSON.email })).toBe(0);
    expect((await signUp('a fine password')).status).toBe(200);
  });

  it("should be accepted when it is another user's name", async () => {
    const person = { email: 'joan@example.org', name: 'Joan Clarke' };
    expect((await signUp('Grace Hopper', person)).status).toBe(200);
  });
});
