import { createHmac, createPublicKey, sign, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { person, signIn, unknownId, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { holdClock, MINUTE, SECOND } from '../support/time/clock.js';
import { decodeJwt, encodeJwt, jwksOf, makeKey, signJwt } from '../support/jwt.js';
import { refusal } from '../support/checks/refusal.js';

/** The copy of jsonwebtoken that passport-jwt uses. */
const jsonwebtoken = createRequire(createRequire(import.meta.url).resolve('passport-jwt'))(
  'jsonwebtoken',
) as { verify: () => void };

const [KEY, OTHER_KEY] = [makeKey(), makeKey()];

describe('access tokens', () => {
  let server: TestApp;
  let ada: Person;
  let eve: Person;

  beforeAll(async () => {
    server = await startApp({ env: { JWT_PRIVATE_KEYS: KEY.pem } });
    ada = await person(server);
    eve = await person(server, 'ADMIN');
  });

  const mine = (token: string) => server.client.as(token).get('/profile/mine');

  it('should be JWTs of the type at+jwt, signed with the key that the JWKS publishes', async () => {
    const { header, signed, signature } = decodeJwt(ada.accessToken);
    expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: KEY.kid });
    const publicKey = createPublicKey(KEY.publicPem);
    expect(verify('sha256', Buffer.from(signed), publicKey, signature)).toBe(true);
    // The JWKS has only the public members of the key, and needs no API key.
    const { n, e } = publicKey.export({ format: 'jwk' });
    expect(await jwksOf(server)).toEqual({
      keys: [{ kty: 'RSA', n, e, kid: KEY.kid, use: 'sig', alg: 'RS256' }],
    });
  });

  it('should have the claims of RFC 9068 and the session, but no roles', async () => {
    const before = Math.floor(Date.now() / SECOND);
    const { _id, accessToken, refreshToken } = await signIn(server.client, eve.email);
    const { claims } = decodeJwt(accessToken);
    expect(claims).toEqual({
      iss: 'pressroom',
      aud: 'pressroom',
      sub: _id,
      sid: refreshToken.split('.')[2],
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: (claims['iat'] as number) + 900,
    });
    expect(claims['iat']).toBeGreaterThanOrEqual(before);
    expect(claims['iat']).toBeLessThanOrEqual(Date.now() / SECOND);
  });

  it('should be valid before exp, and not at exp', async () => {
    const clock = holdClock(server.app, Math.ceil(Date.now() / SECOND) * SECOND);
    const { client } = await signIn(server.client, ada.email);
    clock.advance(15 * MINUTE - 1);
    expect((await client.get('/profile/mine')).status).toBe(200);
    clock.advance(1);
    const { body, headers } = await client.get('/profile/mine');
    clock.release();
    expect(body).toEqual(refusal('access_token_expired', 'access token has expired', '10003'));
    expect(headers.get('instruction')).toBe('refresh_token');
  });

  it('should be valid on a server whose clock is half a minute behind', async () => {
    const { client } = await signIn(server.client, ada.email);
    const clock = holdClock(server.app, Date.now() - 30 * SECOND);
    const { status } = await client.get('/profile/mine');
    clock.release();
    expect(status).toBe(200);
  });

  it('should each be verified once, however often they are sent', async () => {
    const { client } = await signIn(server.client, ada.email);
    const verifying = jest.spyOn(jsonwebtoken, 'verify');
    for (let request = 0; request < 5; request++) await client.get('/profile/mine');
    const checks = verifying.mock.calls.length;
    verifying.mockRestore();
    expect(checks).toBe(1);
  });

  it.each<[label: string, authorization: (tokens: Person) => string]>([
    ['an empty header', () => ''],
    ['a scheme alone', () => 'Bearer '],
    ['dots', () => 'Bearer ...'],
    ['a refresh token', ({ refreshToken }) => `Bearer ${refreshToken}`],
    ['two tokens', ({ accessToken }) => `Bearer ${accessToken} ${accessToken}`],
    ['another scheme', ({ accessToken }) => `Basic ${accessToken}`],
    ['no scheme', ({ accessToken }) => accessToken],
  ])('should be refused in a malformed Authorization header: %s', async (_, form) => {
    const client = server.client.with({ authorization: form(ada) });
    const { body, headers } = await client.get('/profile/mine');
    expect(body).toEqual(refusal('access_token_invalid', 'invalid access token', '10003'));
    expect(headers.get('instruction')).toBeNull();
  });

  describe('made by the test', () => {
    type Claims = Record<string, unknown>;
    const header = { alg: 'RS256', typ: 'at+jwt', kid: KEY.kid };
    const without = (part: Claims, name: string): Claims =>
      Object.fromEntries(Object.entries(part).filter(([key]) => key !== name));
    const hmac = (signed: string, secret: string): string =>
      `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    const withClaims = (change: (claims: Claims) => unknown) => (claims: Claims) =>
      signJwt(header, change(claims), KEY.privateKey);
    const withHeader = (head: unknown) => (claims: Claims) => signJwt(head, claims, KEY.privateKey);
    const rsa = (alg: string, digest: string, padding?: object) => (claims: Claims) => {
      const signed = encodeJwt({ ...header, alg }, claims);
      const options = { key: KEY.privateKey, ...padding };
      return `${signed}.${sign(digest, Buffer.from(signed), options).toString('base64url')}`;
    };
    const pss = { padding: 6, saltLength: 32 };

    it('should be accepted if they are valid (control)', async () => {
      const token = signJwt(header, decodeJwt(ada.accessToken).claims, KEY.privateKey);
      expect((await mine(token)).status).toBe(200);
    });

    it.each<[label: string, forge: (claims: Claims) => string]>([
      ['alg none', (claims) => `${encodeJwt({ ...header, alg: 'none' }, claims)}.`],
      ['alg none and a signature', withHeader({ ...header, alg: 'none' })],
      ['no alg', withHeader(without(header, 'alg'))],
      ['an empty signature', (claims) => `${encodeJwt(header, claims)}.`],
      [
        'HS256 with the public key as PEM',
        (claims) => hmac(encodeJwt({ ...header, alg: 'HS256' }, claims), KEY.publicPem),
      ],
      // jsonwebtoken would accept the next two algorithms.
      ['RS512', rsa('RS512', 'sha512')],
      ['PS256', rsa('PS256', 'sha256', pss)],
      ['the signature of another key', (claims) => signJwt(header, claims, OTHER_KEY.privateKey)],
      [
        'another key under its own kid',
        (claims) => signJwt({ ...header, kid: OTHER_KEY.kid }, claims, OTHER_KEY.privateKey),
      ],
      [
        'another key in the header',
        (claims) => {
          const jwk = createPublicKey(OTHER_KEY.publicPem).export({ format: 'jwk' });
          return signJwt({ ...header, jwk }, claims, OTHER_KEY.privateKey);
        },
      ],
      ['an unknown kid', withHeader({ ...header, kid: 'unknown' })],
      ['no kid', withHeader(without(header, 'kid'))],
      ['a kid that is an object', withHeader({ ...header, kid: { $gt: '' } })],
      ['a kid that is a name in Object.prototype', withHeader({ ...header, kid: 'constructor' })],
      ['typ JWT', withHeader({ ...header, typ: 'JWT' })],
      ['no typ', withHeader(without(header, 'typ'))],
      ['a critical extension', withHeader({ ...header, crit: ['exp'] })],
      ['a header that is null', withHeader(null)],
      ['another issuer', withClaims((claims) => ({ ...claims, iss: 'somebody' }))],
      ['no issuer', withClaims((claims) => without(claims, 'iss'))],
      ['another audience', withClaims((claims) => ({ ...claims, aud: 'somebody' }))],
      ['no audience', withClaims((claims) => without(claims, 'aud'))],
      ['no session', withClaims((claims) => without(claims, 'sid'))],
      ['an unknown session', withClaims((claims) => ({ ...claims, sid: unknownId() }))],
      ['a query operator as session', withClaims((claims) => ({ ...claims, sid: { $gt: '' } }))],
      ['no user', withClaims((claims) => without(claims, 'sub'))],
      ['another user', withClaims((claims) => ({ ...claims, sub: eve._id }))],
      ['a query operator as user', withClaims((claims) => ({ ...claims, sub: { $gt: '' } }))],
      ["another user's session", withClaims((claims) => ({ ...claims, sid: sidOf(eve) }))],
      ['no exp', withClaims((claims) => without(claims, 'exp'))],
      ['an exp that is text', withClaims((claims) => ({ ...claims, exp: String(claims['exp']) }))],
      ['an exp that is a fraction', withClaims((claims) => ({ ...claims, exp: 9e9 + 0.5 }))],
      ['no iat', withClaims((claims) => without(claims, 'iat'))],
      ['an iat beyond the clock skew', withClaims((claims) => ({ ...claims, iat: inSeconds(90) }))],
      ['an iat far in the future', withClaims((claims) => ({ ...claims, iat: 9e15 }))],
      ['nbf in the future', withClaims((claims) => ({ ...claims, nbf: inSeconds(90) }))],
      ['no jti', withClaims((claims) => without(claims, 'jti'))],
      ['a jti that is an object', withClaims((claims) => ({ ...claims, jti: {} }))],
      ['a payload that is null', withClaims(() => null)],
      [
        'an altered payload',
        (claims) => {
          const { signature } = decodeJwt(ada.accessToken);
          const signed = encodeJwt(header, { ...claims, sub: eve._id, sid: sidOf(eve) });
          return `${signed}.${signature.toString('base64url')}`;
        },
      ],
      ['a payload that is no JSON', (claims) => signCut(encodeJwt(header, claims))],
      ['no signature part', (claims) => encodeJwt(header, claims)],
      ['a fourth part', (claims) => `${signJwt(header, claims, KEY.privateKey)}.x`],
    ])('should be refused with %s', async (_, forge) => {
      const token = forge({ ...decodeJwt(ada.accessToken).claims });
      const caller = server.client.as(token);
      const answers = [
        await caller.get('/profile/mine'),
        await caller.post('/auth/refresh', { refresh_token: ada.refreshToken }),
      ];
      for (const { status, body, headers } of answers) {
        expect(body).toEqual({
          code: '10003',
          status: 401,
          message: expect.any(String),
          reason: expect.stringMatching(/^(access_token_(missing|invalid)|session_ended)$/),
        });
        expect(status).toBe(401);
        expect(headers.get('instruction')).toBeNull();
      }
      expect((await mine(ada.accessToken)).status).toBe(200);
    });
  });
});

const inSeconds = (seconds: number): number => Math.floor(Date.now() / SECOND) + seconds;

const sidOf = ({ accessToken }: Pick<Person, 'accessToken'>): unknown =>
  decodeJwt(accessToken).claims['sid'];

/** Signs a token whose payload is cut off. */
function signCut(signingInput: string): string {
  const signed = signingInput.slice(0, -8);
  const signature = sign('sha256', Buffer.from(signed), KEY.privateKey);
  return `${signed}.${signature.toString('base64url')}`;
}
