import { beforeAll, describe, expect, it } from '@jest/globals';
import { account, PASSWORD, person, unique } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { ROWS } from '../../routes/routes.js';
import { exchange, settings } from './browser.js';
import { returnFrom, signInBy, startProvider, type TestProvider } from './provider.js';

const CLOSED = ROWS.filter(({ access }) => access.isUnlessProviderOnly).map(({ route }) => route);

describe('OIDC_ONLY=on', () => {
  let provider: TestProvider;
  let server: TestApp;

  beforeAll(async () => {
    provider = await startProvider();
    server = await startApp({ env: { ...settings(provider.issuer), OIDC_ONLY: 'on' } });
  });

  it('should close what is for passwords', () => {
    expect(CLOSED).toEqual(
      expect.arrayContaining([
        'POST /auth/signup/basic',
        'POST /auth/signin/basic',
        'PUT /auth/password',
        'POST /auth/password/forgot',
        'POST /auth/password/reset',
        'POST /auth/invitation/accept',
      ]),
    );
  });

  it.each(CLOSED)('should close %s, before its body is read', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const { client } = await person(server);
    const { status, body } = await client.request(method, path, { body: {} });
    expect([status, body.reason]).toEqual([403, 'provider_only']);
  });

  it('should leave the provider, the link by a password, sessions and tokens', async () => {
    const { email } = await account(server);
    const subject = unique('subject');
    provider.people.set(subject, { email, email_verified: true });
    const { oidcCode = '', verifier } = await returnFrom(server, provider, subject);
    const linked = await exchange(server, oidcCode, verifier, { password: PASSWORD });
    expect(linked.status).toBe(200);
    const { body } = await signInBy(server, provider, subject);
    const owner = server.client.as(body.data.tokens.accessToken);
    const made = await owner.post<{ token: string }>('/auth/tokens', {
      name: 'nightly',
      roles: ['LEARNER'],
    });
    const program = server.client.as(made.body.data.token);
    expect((await program.get('/profile/mine')).status).toBe(200);
    expect((await owner.delete('/auth/signout')).status).toBe(200);
  });
});
