import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { atEnd } from '../../support/clean-up.js';
import { makeKey, signJwt } from '../../support/jwt.js';
import { CLIENT_ID } from './browser.js';

/** How the issuer differs from a good one. */
export interface Fault {
  /** Replaces claims of the ID token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Replaces members of the header of the ID token. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Signs the ID token instead of the issuer's key. */
  readonly key?: KeyObject;
  /** Answers the exchange of the code. */
  readonly token?: (response: ServerResponse) => void;
}

/** An issuer that a test can make lie. */
export interface FakeIssuer {
  readonly issuer: string;
  fault: Fault;
  /** The answer with which the issuer sends the browser back. */
  answer(signInUrl: URL): URLSearchParams;
}

const ENDPOINTS = {
  authorization_endpoint: '/auth',
  token_endpoint: '/token',
  jwks_uri: '/jwks',
};

/** Starts an issuer on a free port of 127.0.0.1, which is closed after the tests of the file. */
export async function startFakeIssuer(): Promise<FakeIssuer> {
  const key = makeKey();
  let nonce = '';
  const fake: { fault: Fault } = { fault: {} };
  const metadata = (issuer: string): object => ({
    issuer,
    ...Object.fromEntries(Object.entries(ENDPOINTS).map(([name, path]) => [name, issuer + path])),
    authorization_response_iss_parameter_supported: true,
  });
  const tokens = (issuer: string): object => {
    const { claims, header, key: signing = key.privateKey } = fake.fault;
    const now = Math.floor(Date.now() / 1_000);
    const given = { iss: issuer, aud: CLIENT_ID, sub: 'ada', nonce, iat: now, exp: now + 60 };
    const person = { email: 'ada@example.org', email_verified: true };
    const idToken = { ...given, ...person, ...claims };
    return {
      access_token: 'any',
      token_type: 'Bearer',
      id_token: signJwt({ alg: 'RS256', kid: key.kid, ...header }, idToken, signing),
    };
  };
  const http = createServer((request, response) => {
    const send = (body: object): void => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    };
    if (request.url === '/.well-known/openid-configuration') send(metadata(issuer));
    else if (request.url === '/jwks') {
      const jwk = createPublicKey(key.privateKey).export({ format: 'jwk' });
      send({ keys: [{ ...jwk, kid: key.kid, alg: 'RS256', use: 'sig' }] });
    } else if (fake.fault.token) fake.fault.token(response);
    else send(tokens(issuer));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  atEnd(() => {
    http.closeAllConnections();
    http.close();
  });
  const answer = ({ searchParams }: URL): URLSearchParams => {
    nonce = searchParams.get('nonce') ?? '';
    return new URLSearchParams({ code: 'c', state: searchParams.get('state') ?? '', iss: issuer });
  };
  return Object.assign(fake, { issuer, answer });
}
