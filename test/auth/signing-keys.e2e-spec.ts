import { createPublicKey } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { person, type Person } from '../support/factories.js';
import { decodeJwt, jwksOf, makeKey } from '../support/jwt.js';
import { freshDatabaseUri } from '../support/mongo/mongo.js';
import { openSession, type OpenSession } from '../support/sessions.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { refusal } from '../support/checks/refusal.js';

const [KEY, OTHER_KEY] = [makeKey(), makeKey()];

describe('GET /.well-known/jwks.json', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp({ env: { JWT_PRIVATE_KEYS: KEY.pem } });
  });

  it('should need no API key and publish the public members only', async () => {
    const open = server.client.with({ 'x-api-key': null });
    const { status, body } = await open.get('/.well-known/jwks.json');
    expect(status).toBe(200);
    const { n, e } = createPublicKey(KEY.publicPem).export({ format: 'jwk' });
    expect(body).toEqual({
      keys: [{ kty: 'RSA', n, e, kid: KEY.kid, use: 'sig', alg: 'RS256' }],
    });
  });
});

/** Restarts with other keys on one database, as in an operator's key rotation. */
describe('signing key rotation', () => {
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

  const statusOf = async ({ client }: TestApp, token: string): Promise<number> =>
    (await client.as(token).get('/profile/mine')).status;
  const refresh = ({ client }: TestApp, accessToken: string, refreshToken: string) =>
    client.as(accessToken).post('/auth/refresh', { refresh_token: refreshToken });

  it('should sign with the first key, accept both, and refuse a removed one', async () => {
    // Environment files without line breaks in values write them as \n.
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
    const refused = refusal('access_token_invalid', 'invalid access token', '10003');
    expect((await last.client.as(ada.accessToken).get('/profile/mine')).body).toEqual(refused);
    expect((await refresh(last, ada.accessToken, ada.refreshToken)).body).toEqual(refused);
    // The refresh token of the removed key, with an access token of the remaining one.
    expect((await refresh(last, accessToken, carried.refreshToken)).body).toEqual(
      refusal('refresh_token_invalid', 'invalid refresh token: sign in again'),
    );
    expect(await statusOf(last, accessToken)).toBe(200);
    expect((await refresh(last, accessToken, refreshToken)).status).toBe(200);
  });
});
