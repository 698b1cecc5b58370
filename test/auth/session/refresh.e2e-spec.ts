import { createHmac, hkdfSync } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Answer } from '../../support/client.js';
import { person, unknownId, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { holdClock, MINUTE, SECOND } from '../../support/time/clock.js';
import { decodeJwt, makeKey } from '../../support/jwt.js';
import { openSession } from '../../support/sessions.js';
import { expectFieldErrors } from '../../support/checks/bad-bodies.js';
import { refusal, SESSION_ENDED as ENDED } from '../../support/checks/refusal.js';

const PATH = '/auth/refresh';
/** Each path with one name of the token's field. The second path is goserve's. Both paths accept both names. */
const SPELLINGS = [
  [PATH, 'refresh_token'],
  ['/auth/token/refresh', 'refreshToken'],
] as const;
const KEY = makeKey();

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const INVALID = refusal('refresh_token_invalid', 'invalid refresh token: sign in again');

describe('POST /auth/refresh', () => {
  let server: TestApp;
  let ada: Person;
  let eve: Person;

  beforeAll(async () => {
    server = await startApp({ env: { JWT_PRIVATE_KEYS: KEY.pem } });
    ada = await person(server);
    eve = await person(server);
  });

  afterEach(async () => {
    // Ada's first session would end if the tests opened more than 20 sessions of hers.
    const kept = [ada, eve].map((one) => new Types.ObjectId(sidOf(one)));
    await sessions().deleteMany({ _id: { $nin: kept } });
  });

  const sessions = () => server.db.collection('sessions');
  const sidOf = ({ accessToken }: Tokens) => decodeJwt(accessToken).claims['sid'] as string;
  const stored = (tokens: Tokens) => sessions().findOne({ _id: new Types.ObjectId(sidOf(tokens)) });

  const refresh = (
    { accessToken }: Pick<Tokens, 'accessToken'>,
    refreshToken: unknown,
  ): Promise<Answer<Tokens>> =>
    server.client.as(accessToken).post<Tokens>(PATH, { refresh_token: refreshToken });

  /** Refreshes this many times. @returns the last pair of tokens @throws if a refresh fails */
  const renew = async (tokens: Tokens, times = 1): Promise<Tokens> => {
    if (times === 0) return tokens;
    const { status, body } = await refresh(tokens, tokens.refreshToken);
    expect({ status, message: body.message }).toEqual({ status: 200, message: 'success' });
    return renew(body.data, times - 1);
  };
  const isAlive = async ({ accessToken }: Tokens): Promise<boolean> =>
    (await server.client.as(accessToken).get('/profile/mine')).status === 200;

  describe('with the current token', () => {
    it.each(SPELLINGS)(
      'should return a new pair of the same session: %s, %s',
      async (path, name) => {
        const first = await openSession(server, ada);
        const { status, body, headers } = await first.client.post<Tokens>(path, {
          [name]: first.refreshToken,
        });
        expect(status).toBe(200);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(body).toEqual({
          code: '10000',
          status: 200,
          message: 'success',
          data: { accessToken: expect.any(String), refreshToken: expect.any(String) },
        });
        expect(body.data.accessToken).not.toBe(first.accessToken);
        expect(body.data.refreshToken).not.toBe(first.refreshToken);
        expect(sidOf(body.data)).toBe(sidOf(first));
        expect(await isAlive(body.data)).toBe(true);
        // Earlier access tokens stay valid.
        expect(await isAlive(first)).toBe(true);
      },
    );

    it('should prefer refresh_token when both names are given, and ignore blanks', async () => {
      const { client, refreshToken } = await openSession(server, ada);
      const both = { refresh_token: ` ${refreshToken}\n`, refreshToken: 'nonsense' };
      expect((await client.post(PATH, both)).status).toBe(200);
    });

    it('should accept an access token that has expired', async () => {
      const first = await openSession(server, ada);
      const clock = holdClock(server.app);
      clock.advance(24 * 60 * MINUTE);
      expect(await isAlive(first)).toBe(false);
      expect(await isAlive(await renew(first))).toBe(true);
      clock.release();
    });
  });

  describe('with a token that the test makes, or one of another session', () => {
    /** Makes a token as the server does, with its private key. */
    const issue = (sid: string, counter: number): string => {
      const seed = KEY.privateKey.export({ type: 'pkcs8', format: 'der' });
      const info = 'pressroom refresh token v1';
      const key = Buffer.from(hkdfSync('sha256', seed, KEY.kid, info, 32));
      const payload = `v1.${KEY.kid}.${sid}.${counter}`;
      return `${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`;
    };
    const replacePart = (token: string, index: number, part: string): string =>
      token.split('.').with(index, part).join('.');

    it('should accept a valid token that the test makes (control)', async () => {
      const first = await openSession(server, ada);
      expect((await refresh(first, issue(sidOf(first), 0))).status).toBe(200);
    });

    // refresh-token.spec.ts changes each character of a token.
    it.each<[string, (mine: Tokens) => string]>([
      ['a changed counter', ({ refreshToken: t }) => replacePart(t, 3, '1')],
      ['a changed session', ({ refreshToken: t }) => replacePart(t, 2, sidOf(eve))],
      ['an access token', ({ accessToken: t }) => t],
      ['another session of the same user', () => ada.refreshToken],
      ['a session of another user', () => eve.refreshToken],
      ['a session that does not exist', () => issue(unknownId(), 0)],
      ['a counter that another session has not reached', () => issue(sidOf(eve), 5)],
    ])('should refuse %s and change nothing', async (_, forge) => {
      const mine = await openSession(server, ada);
      const watched = [mine, ada, eve];
      const before = await Promise.all(watched.map(stored));
      const { status, body } = await refresh(mine, forge(mine));
      expect(body).toEqual(INVALID);
      expect(status).toBe(401);
      expect(await Promise.all(watched.map(stored))).toEqual(before);
      await renew(mine);
    });

    it('should refuse a counter that the session has not reached, without ending the session', async () => {
      const mine = await renew(await openSession(server, ada));
      // This is also the state after the database was restored from a backup.
      const _id = new Types.ObjectId(sidOf(mine));
      await sessions().updateOne({ _id }, { $set: { counter: 0 } });
      const { status } = await refresh(mine, issue(sidOf(mine), 2));
      expect(status).toBe(401);
      expect(await isAlive(mine)).toBe(true);
    });
  });

  describe('with a spent token', () => {
    let clock: ReturnType<typeof holdClock>;

    beforeEach(() => {
      clock = holdClock(server.app);
    });

    afterEach(() => clock.release());

    it('should return the same successor for ten seconds, and then end the session', async () => {
      const other = await openSession(server, ada);
      const first = await openSession(server, ada);
      const second = await renew(first);
      clock.advance(10 * SECOND);
      const again = await renew(first);
      expect(again.refreshToken).toBe(second.refreshToken);
      expect(await isAlive(again)).toBe(true);
      // The repetition has not restarted the ten seconds.
      clock.advance(1);
      const { status, body, headers } = await refresh(first, first.refreshToken);
      expect(body).toEqual(ENDED);
      expect(status).toBe(401);
      expect(headers.get('instruction')).toBeNull();
      expect(await stored(first)).toBeNull();
      expect(await isAlive(first)).toBe(false);
      expect(await isAlive(second)).toBe(false);
      expect((await refresh(second, second.refreshToken)).body).toEqual(ENDED);
      expect(await isAlive(other)).toBe(true);
    });

    it('should end the session on reuse of a token older than the last spent one, even within ten seconds', async () => {
      const first = await openSession(server, ada);
      const third = await renew(first, 2);
      expect((await refresh(third, first.refreshToken)).body).toEqual(ENDED);
      expect(await isAlive(third)).toBe(false);
      expect((await refresh(third, third.refreshToken)).body).toEqual(ENDED);
    });

    it('should return the same successor to twenty concurrent requests', async () => {
      const first = await openSession(server, ada);
      const requests = Array.from({ length: 20 }, () => refresh(first, first.refreshToken));
      const answers = await Promise.all(requests);
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
      expect(new Set(answers.map(({ body }) => body.data.refreshToken)).size).toBe(1);
      expect(await stored(first)).toMatchObject({ counter: 1 });
      expect(await isAlive(await renew((answers[0] as Answer<Tokens>).body.data))).toBe(true);
    });
  });

  describe('with an invalid body', () => {
    it('should refuse a missing token', async () => {
      const message = 'refresh_token is missing';
      expectFieldErrors(await ada.client.post(PATH, {}), { field: 'refresh_token', message });
    });

    it.each(SPELLINGS)('should refuse a token that is not text: %s, %s', async (path, name) => {
      const { status, body } = await ada.client.post(path, { [name]: { $gt: '' } });
      expect(status).toBe(422);
      expect(body.errors).toContainEqual({ field: name, message: `${name} must be text` });
    });

    // A client with a token of goserve must sign in again, which it does after a 401.
    it.each([
      ['a JWT of goserve', `eyJhbGciOiJSUzI1NiJ9.${'e'.repeat(400)}.${'s'.repeat(342)}`],
      ['10,000 characters', `v1.${'a'.repeat(43)}.${'0'.repeat(10_000)}`],
    ])('should respond to %s as to an unknown token', async (_, token) => {
      expect((await refresh(ada, token)).body).toEqual(INVALID);
      expect(await isAlive(ada)).toBe(true);
    });
  });
});
