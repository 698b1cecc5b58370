import { createHmac, createPublicKey, sign, verify, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { person, signIn, unknownId, type Person } from '../support/factories.js';
import { freshDatabaseUri } from '../support/mongo.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { holdClock, MINUTE, SECOND } from '../support/clock.js';
import { decodeJwt, encodeJwt, makeKey, signJwt } from '../support/jwt.js';
import { openSession, type OpenSession } from '../support/sessions.js';

const [KEY, OTHER_KEY] = [makeKey(), makeKey()];

interface Jwks {
  readonly keys: readonly (JsonWebKey & { readonly kid: string })[];
}

const jwksOf = async ({ url }: TestApp): Promise<Jwks> =>
  (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as Jwks;

describe('access tokens', () => {
  let server: TestApp;
  let ada: Person;
  let eve: Person;

  beforeAll(async () => {
    server = await startApp({ env: { JWT_PRIVATE_KEYS: KEY.pem } });
    ada = await person(server);
    eve = await person(server, 'ADMIN');
  });

  afterAll(async () => {
    await server.close();
  });

  const mine = (token: string) => server.client.as(token).get('/profile/mine');

  it('should be a JWT for access tokens, signed with the key that the JWKS publishes', async () => {
    const { header, signed, signature } = decodeJwt(ada.accessToken);
    expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: KEY.kid });
    const { keys } = await jwksOf(server);
    const jwk = keys.find(({ kid }) => kid === header['kid']);
    const publicKey = createPublicKey({ key: jwk ?? {}, format: 'jwk' });
    expect(verify('sha256', Buffer.from(signed), publicKey, signature)).toBe(true);
    const other = createPublicKey(OTHER_KEY.publicPem);
    expect(verify('sha256', Buffer.from(signed), other, signature)).toBe(false);
  });

  it('should say who, for whom, which session and how long, and nothing about roles', async () => {
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

  it('should never have the same jti twice', async () => {
    const again = await signIn(server.client, ada.email);
    expect(decodeJwt(again.accessToken).claims['jti']).not.toBe(
      decodeJwt(ada.accessToken).claims['jti'],
    );
  });

  it('should be valid until exp, and not at it', async () => {
    const clock = holdClock(server.app, Math.ceil(Date.now() / SECOND) * SECOND);
    const { client } = await signIn(server.client, ada.email);
    clock.advance(15 * MINUTE - 1);
    expect((await client.get('/profile/mine')).status).toBe(200);
    clock.advance(1);
    const { body, headers } = await client.get('/profile/mine');
    clock.release();
    expect(body).toEqual({ code: '10003', status: 401, message: 'access token has expired' });
    expect(headers.get('instruction')).toBe('refresh_token');
  });

  describe('made by someone else, or for something else', () => {
    type Claims = Record<string, unknown>;
    const header = { alg: 'RS256', typ: 'at+jwt', kid: KEY.kid };
    const without = (part: Claims, name: string): Claims =>
      Object.fromEntries(Object.entries(part).filter(([key]) => key !== name));
    const hmac = (signed: string, secret: string): string =>
      `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    const claimed = (change: (claims: Claims) => unknown) => (claims: Claims) =>
      signJwt(header, change(claims), KEY.privateKey);
    const headed = (change: unknown) => (claims: Claims) => signJwt(change, claims, KEY.privateKey);
    const rsa = (alg: string, digest: string, padding?: object) => (claims: Claims) => {
      const signed = encodeJwt({ ...header, alg }, claims);
      const options = { key: KEY.privateKey, ...padding };
      return `${signed}.${sign(digest, Buffer.from(signed), options).toString('base64url')}`;
    };
    const pss = { padding: 6, saltLength: 32 };

    it('should be accepted when nothing is wrong with a token signed by hand', async () => {
      const token = signJwt(header, decodeJwt(ada.accessToken).claims, KEY.privateKey);
      expect((await mine(token)).status).toBe(200);
    });

    it.each<[what: string, forge: (claims: Claims) => string]>([
      ['alg none', (claims) => `${encodeJwt({ ...header, alg: 'none' }, claims)}.`],
      ['alg None', (claims) => `${encodeJwt({ ...header, alg: 'None' }, claims)}.`],
      ['alg none and a signature', headed({ ...header, alg: 'none' })],
      ['no alg', headed(without(header, 'alg'))],
      ['an empty signature', (claims) => `${encodeJwt(header, claims)}.`],
      [
        'HS256 with the public key as PEM',
        (claims) => hmac(encodeJwt({ ...header, alg: 'HS256' }, claims), KEY.publicPem),
      ],
      [
        'HS256 with the public key as one line',
        (claims) => hmac(encodeJwt({ ...header, alg: 'HS256' }, claims), KEY.publicPem.trim()),
      ],
      [
        'HS256 with no secret',
        (claims) => hmac(encodeJwt({ ...header, alg: 'HS256' }, claims), ''),
      ],
      ['RS384', rsa('RS384', 'sha384')],
      ['RS512', rsa('RS512', 'sha512')],
      ['PS256', rsa('PS256', 'sha256', pss)],
      ['the signature of another key', (claims) => signJwt(header, claims, OTHER_KEY.privateKey)],
      [
        'another key under its own kid',
        (claims) => signJwt({ ...header, kid: OTHER_KEY.kid }, claims, OTHER_KEY.privateKey),
      ],
      [
        'a key of its own in the header',
        (claims) => {
          const jwk = createPublicKey(OTHER_KEY.publicPem).export({ format: 'jwk' });
          return signJwt({ ...header, jwk }, claims, OTHER_KEY.privateKey);
        },
      ],
      ['an unknown kid', headed({ ...header, kid: 'unknown' })],
      ['no kid', headed(without(header, 'kid'))],
      ['a kid that is an object', headed({ ...header, kid: { $gt: '' } })],
      ['a kid of Object.prototype', headed({ ...header, kid: 'constructor' })],
      ['typ JWT', headed({ ...header, typ: 'JWT' })],
      ['no typ', headed(without(header, 'typ'))],
      ['a critical extension', headed({ ...header, crit: ['exp'] })],
      ['a header that is null', headed(null)],
      ['a header that is a list', headed([header])],
      ['another issuer', claimed((claims) => ({ ...claims, iss: 'somebody' }))],
      ['no issuer', claimed((claims) => without(claims, 'iss'))],
      ['another audience', claimed((claims) => ({ ...claims, aud: 'somebody' }))],
      ['no audience', claimed((claims) => without(claims, 'aud'))],
      ['no session', claimed((claims) => without(claims, 'sid'))],
      ['an unknown session', claimed((claims) => ({ ...claims, sid: unknownId() }))],
      ['a malformed session', claimed((claims) => ({ ...claims, sid: 'x' }))],
      ['an operator for a session', claimed((claims) => ({ ...claims, sid: { $gt: '' } }))],
      ['a list for a session', claimed((claims) => ({ ...claims, sid: [claims['sid']] }))],
      ['no user', claimed((claims) => without(claims, 'sub'))],
      ['another user', claimed((claims) => ({ ...claims, sub: eve._id }))],
      ['an operator for a user', claimed((claims) => ({ ...claims, sub: { $gt: '' } }))],
      ["another user's session", claimed((claims) => ({ ...claims, sid: sidOf(eve) }))],
      ['no end', claimed((claims) => without(claims, 'exp'))],
      ['an end that is text', claimed((claims) => ({ ...claims, exp: String(claims['exp']) }))],
      ['an end that is a fraction', claimed((claims) => ({ ...claims, exp: 9e9 + 0.5 }))],
      ['a payload that is null', claimed(() => null)],
      ['a payload that is a list', claimed((claims) => [claims])],
      ['a payload that is a text', claimed(() => 'admin')],
      [
        'an altered payload',
        (claims) => {
          const { signature } = decodeJwt(ada.accessToken);
          const signed = encodeJwt(header, { ...claims, sub: eve._id, sid: sidOf(eve) });
          return `${signed}.${signature.toString('base64url')}`;
        },
      ],
      ['a payload that is no JSON', (claims) => cut(signJwt(header, claims, KEY.privateKey))],
      ['no signature part', (claims) => encodeJwt(header, claims)],
      ['a fourth part', (claims) => `${signJwt(header, claims, KEY.privateKey)}.x`],
      [
        '5,000 characters',
        (claims) => signJwt(header, { ...claims, x: 'x'.repeat(5_000) }, KEY.privateKey),
      ],
    ])('should be refused with %s', async (_, forge) => {
      const token = forge({ ...decodeJwt(ada.accessToken).claims });
      const caller = server.client.as(token);
      const answers = [
        await caller.get('/profile/mine'),
        await caller.post('/auth/refresh', { refresh_token: ada.refreshToken }),
      ];
      for (const { status, body, headers } of answers) {
        expect(body).toEqual({ code: '10003', status: 401, message: expect.any(String) });
        expect(status).toBe(401);
        expect(headers.get('instruction')).toBeNull();
      }
      expect((await mine(ada.accessToken)).status).toBe(200);
    });
  });
});

const sidOf = ({ accessToken }: Pick<Person, 'accessToken'>): unknown =>
  decodeJwt(accessToken).claims['sid'];

/** The same token with a payload that ends early, under the same signature. */
function cut(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload.slice(0, -8), signature].join('.');
}

describe('GET /.well-known/jwks.json', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp({ env: { JWT_PRIVATE_KEYS: KEY.pem } });
  });

  afterAll(async () => {
    await server.close();
  });

  it('should need no API key and publish the public parts alone', async () => {
    const open = server.client.with({ 'x-api-key': null });
    const { status, body } = await open.get('/.well-known/jwks.json');
    expect(status).toBe(200);
    const { n, e } = createPublicKey(KEY.publicPem).export({ format: 'jwk' });
    expect(body).toEqual({
      keys: [{ kty: 'RSA', n, e, kid: KEY.kid, use: 'sig', alg: 'RS256' }],
    });
  });
});

/** One process after the other on one database, as an operator changes the key. */
describe('changing the signing key', () => {
  const uri = freshDatabaseUri();
  let server: TestApp | undefined;
  let ada: Person;
  let carried: OpenSession;

  const restart = async (env: Readonly<Record<string, string>>): Promise<TestApp> => {
    await server?.close();
    server = await startApp({ uri, env });
    return server;
  };

  beforeAll(async () => {
    const first = await restart({ JWT_PRIVATE_KEYS: KEY.pem });
    ada = await person(first);
    carried = await openSession(first, ada);
    expect((await first.client.as(ada.accessToken).get('/profile/mine')).status).toBe(200);
  });

  afterAll(async () => {
    await server?.db.dropDatabase();
    await server?.close();
  });

  const statusOf = async ({ client }: TestApp, token: string): Promise<number> =>
    (await client.as(token).get('/profile/mine')).status;
  const refresh = ({ client }: TestApp, accessToken: string, refreshToken: string) =>
    client.as(accessToken).post('/auth/refresh', { refresh_token: refreshToken });

  it('should sign with the first key, accept both, and refuse one that is removed', async () => {
    // Environments that cannot hold line breaks write them as \n.
    const oneLine = `${OTHER_KEY.pem}${KEY.pem}`.replaceAll('\n', '\\n');
    const both = await restart({ JWT_PRIVATE_KEYS: oneLine, ACCESS_TOKEN_TTL: '90s' });
    expect((await jwksOf(both)).keys.map(({ kid }) => kid)).toEqual([OTHER_KEY.kid, KEY.kid]);
    expect(await statusOf(both, ada.accessToken)).toBe(200);
    const renewed = await refresh(both, carried.accessToken, carried.refreshToken);
    expect(renewed.status).toBe(200);
    const { accessToken, refreshToken } = renewed.body.data;
    const { header, claims } = decodeJwt(accessToken);
    expect(header['kid']).toBe(OTHER_KEY.kid);
    expect((claims['exp'] as number) - (claims['iat'] as number)).toBe(90);
    expect(refreshToken.split('.')[1]).toBe(OTHER_KEY.kid);
    expect(await statusOf(both, accessToken)).toBe(200);

    const last = await restart({ JWT_PRIVATE_KEYS: OTHER_KEY.pem });
    expect((await jwksOf(last)).keys.map(({ kid }) => kid)).toEqual([OTHER_KEY.kid]);
    const refused = { code: '10003', status: 401, message: 'invalid access token' };
    expect((await last.client.as(ada.accessToken).get('/profile/mine')).body).toEqual(refused);
    expect((await refresh(last, ada.accessToken, ada.refreshToken)).body).toEqual(refused);
    // The refresh token of the removed key, with an access token that the remaining key has signed.
    expect((await refresh(last, accessToken, carried.refreshToken)).body).toEqual({
      code: '10001',
      status: 401,
      message: 'invalid refresh token: sign in again',
    });
    expect(await statusOf(last, accessToken)).toBe(200);
    expect((await refresh(last, accessToken, refreshToken)).status).toBe(200);
  });
});
