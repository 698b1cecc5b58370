import { createHash, randomBytes } from 'node:crypto';
import type { Answer } from '../../support/client.js';
import type { TestApp } from '../../support/start-app.js';

export const RETURN_URL = 'https://www.example/signed-in';
export const CLIENT_ID = 'pressroom';
export const CLIENT_SECRET = 'the secret of the client, with a + and a %';

/** The settings of a server that signs people in by this provider. */
export const settings = (issuer: string): Record<string, string> => ({
  PUBLIC_URL: 'https://api.example',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT_ID,
  OIDC_CLIENT_SECRET: CLIENT_SECRET,
  OIDC_RETURN_URLS: `${RETURN_URL},https://api.example/account`,
  OIDC_SCOPES: 'openid email profile groups',
});

/** A sign-in that a browser has begun. */
export interface Begun {
  /** The page of the provider. */
  readonly url: URL;
  /** The cookies of the browser, as it sends them. */
  readonly cookie: string;
  /** The verifier that the client keeps. */
  readonly verifier: string;
}

export function newVerifier(): { readonly verifier: string; readonly codeChallenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, codeChallenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Begins a sign-in as a page does. */
export async function begin({ client }: Pick<TestApp, 'client'>): Promise<Begun> {
  const { verifier, codeChallenge } = newVerifier();
  const body = { returnUrl: RETURN_URL, codeChallenge };
  const answer = await client.post<{ url: string }>('/auth/oidc/start', body);
  if (answer.status !== 200) throw new Error(`no sign-in: ${answer.text}`);
  const cookie = answer.headers.getSetCookie().map((text) => text.split(';')[0]);
  return { url: new URL(answer.body.data.url), cookie: cookie.join('; '), verifier };
}

/** What stands in the fragment of the address to which a browser was sent. */
export interface Returned {
  readonly to: string;
  readonly oidcCode?: string;
  readonly oidcError?: string;
}

/** Follows the provider's redirect to the server. @throws Error if the server does not redirect */
export async function comeBack(
  { client }: Pick<TestApp, 'client'>,
  query: URLSearchParams,
  cookie: string,
): Promise<Returned> {
  const headers = { cookie, 'x-api-key': null };
  const { status, headers: sent } = await client.get(`/auth/oidc/callback?${query.toString()}`, {
    headers,
  });
  if (status !== 303) throw new Error(`no redirect: ${status}`);
  const [to = '', fragment] = (sent.get('location') ?? '').split('#');
  return { to, ...Object.fromEntries(new URLSearchParams(fragment)) };
}

export interface SignedIn {
  readonly user: { readonly _id: string; readonly email: string; readonly name: string } & {
    readonly roles: readonly { readonly code: string }[];
  };
  readonly tokens: { readonly accessToken: string };
}

/** Exchanges the code for a session. @param proof the password, and the code of a second factor */
export function exchange(
  { client }: Pick<TestApp, 'client'>,
  code: string,
  codeVerifier: string,
  proof: { readonly password?: string; readonly secondFactor?: string } = {},
): Promise<Answer<SignedIn>> {
  return client.post<SignedIn>('/auth/oidc/exchange', { code, codeVerifier, ...proof });
}
