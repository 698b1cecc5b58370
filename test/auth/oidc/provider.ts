import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { atEnd } from '../../support/clean-up.js';
import type { Answer } from '../../support/client.js';
import type { TestApp } from '../../support/start-app.js';
import {
  begin,
  CLIENT_ID,
  CLIENT_SECRET,
  comeBack,
  exchange,
  type Returned,
  type SignedIn,
} from './browser.js';

/** What the provider tells of a person. */
export type Claims = Readonly<Record<string, unknown>>;

/** A provider of OpenID Connect, as others run it. */
export interface TestProvider {
  readonly issuer: string;
  /** The people, by their `sub`. */
  readonly people: Map<string, Claims>;
  /** Signs a person in as a browser does. @returns the query with which the provider sends the browser back */
  signIn(url: URL, subject: string): Promise<URLSearchParams>;
}

/** Starts a provider on a free port of 127.0.0.1, which is closed after the tests of the file. */
export async function startProvider(): Promise<TestProvider> {
  const people = new Map<string, Claims>();
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  atEnd(() => http.close());
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: ['https://api.example/auth/oidc/callback'],
      },
    ],
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ ...people.get(accountId), sub: accountId }),
    }),
  });
  const answer = provider.callback();
  http.on('request', (request, response) => void answer(request, response));
  return { issuer, people, signIn };
}

/** Follows redirects with a cookie jar, and fills in the two forms of the provider: sign-in, and consent. */
async function signIn(url: URL, subject: string): Promise<URLSearchParams> {
  const jar = new Map<string, string>();
  const forms = [
    new URLSearchParams({ prompt: 'login', login: subject, password: 'any' }),
    new URLSearchParams({ prompt: 'consent' }),
  ];
  let [next, form]: [URL, URLSearchParams | undefined] = [url, undefined];
  while (next.origin === url.origin) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const sent of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(sent) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider answers ${response.status} at ${next.href}`);
    next = new URL(location, next);
    form = next.pathname.startsWith('/interaction/') ? forms.shift() : undefined;
  }
  return next.searchParams;
}

/** Goes the whole way but the exchange. */
export async function returnFrom(
  server: TestApp,
  provider: TestProvider,
  subject: string,
): Promise<Returned & { readonly verifier: string }> {
  const { url, cookie, verifier } = await begin(server);
  const query = await provider.signIn(url, subject);
  return { ...(await comeBack(server, query, cookie)), verifier };
}

/** Goes the whole way. @throws Error if the provider's part is refused */
export async function signInBy(
  server: TestApp,
  provider: TestProvider,
  subject: string,
): Promise<Answer<SignedIn>> {
  const { oidcCode, oidcError, verifier } = await returnFrom(server, provider, subject);
  if (oidcCode === undefined) throw new Error(`refused: ${oidcError}`);
  return exchange(server, oidcCode, verifier);
}
