import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { PasswordHasher } from '../../../src/auth/password/password-hasher.js';
import { PASSWORD, person } from '../../support/factories.js';
import { startApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

describe('the threads that check passwords', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('should finish the running tasks of a server that stops', async () => {
    const server = await startApp();
    const { email } = await person(server);
    const matches = jest.spyOn(server.app.get(PasswordHasher), 'matches');
    const signIn = server.client.post('/auth/signin/basic', { email, password: PASSWORD });
    await until('the password to be checked', () => matches.mock.calls.length === 1);
    const [{ status }] = await Promise.all([signIn, server.close()]);
    expect(status).toBe(200);
  });
});
