import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../support/network/free-port.ts';
import { CREDENTIALS, startOwnServer, type OwnServer } from '../support/own-server.ts';
import { openPage } from './browser.ts';

/** Code for the page: gives the options to the browser, and returns its credential as text. */
const CREDENTIAL = {
  create: 'create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })',
  get: 'get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })',
};

interface SignedIn {
  readonly tokens: { readonly accessToken: string };
}

/** Adds a passkey in the browser, whose authenticator is a virtual one, signs in by it, and removes it. */
export async function checkPasskeys({ browser }: { readonly browser: Browser }): Promise<void> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const server = await startOwnServer({ env: { PORT: String(port), PUBLIC_URL: url } });
  const { page, faults } = await openPage(browser, `${url}/account`);
  try {
    const authenticator = await page.context().newCDPSession(page);
    await authenticator.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true };
    await authenticator.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...options,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    } as never);
    await usePasskey(server, page);
    assert.deepEqual(faults, []);
  } finally {
    await page.context().close();
    await server.stop();
  }
}

async function usePasskey({ call }: OwnServer, page: Page): Promise<void> {
  const ask = async (step: keyof typeof CREDENTIAL, path: string, token?: string) => {
    const body = { password: CREDENTIALS.password };
    const { options } = await call<{ options: object }>('POST', path, { token, body });
    return page.evaluate<string>(`(async (options) => JSON.stringify(
      await navigator.credentials.${CREDENTIAL[step]}))(${JSON.stringify(options)})`);
  };
  const { email, password } = CREDENTIALS;
  const first = await call<SignedIn>('POST', '/auth/signin/basic', { body: { email, password } });
  const { accessToken: token } = first.tokens;
  const name = 'This browser';
  const made = await ask('create', '/auth/factors/passkeys/options', token);
  await call('POST', '/auth/factors/passkeys', { token, body: { name, response: made } });
  // The browser refuses to make a second passkey, because the options name the first one.
  await assert.rejects(ask('create', '/auth/factors/passkeys/options', token), /InvalidStateError/);
  await call('DELETE', '/auth/signout', { token });

  const response = await ask('get', '/auth/passkeys/options');
  const second = await call<SignedIn>('POST', '/auth/signin/passkey', { body: { response } });
  const session = { token: second.tokens.accessToken };
  const { factors } = await call<{ factors: { _id: string; name: string }[] }>(
    'GET',
    '/auth/factors',
    session,
  );
  assert.deepEqual(
    factors.map((factor) => factor.name),
    [name],
  );
  // The sign-in by the passkey is proof enough to remove it.
  await call('DELETE', `/auth/factors/id/${factors[0]?._id}`, session);
  const late = await ask('get', '/auth/passkeys/options');
  const refused = call('POST', '/auth/signin/passkey', { body: { response: late } });
  await assert.rejects(refused, /401 this passkey cannot sign in/);
  await call('POST', '/auth/signin/basic', { body: { email, password } });
}
