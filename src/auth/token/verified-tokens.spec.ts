import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/time/wait.js';
import type { AccessTokenClaims } from './token-pair.service.js';
import type { SigningKeys } from '../keys/signing-keys.js';
import { VerifiedTokens } from './verified-tokens.js';

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

const claimsUntil = (exp: unknown): AccessTokenClaims => ({
  sub: 'ada',
  sid: 'session',
  jti: 'one',
  iss: 'pressroom',
  aud: 'pressroom',
  iat: inSeconds(0),
  exp: exp as number,
});

const newKey = () => generateKeyPairSync('ed25519').publicKey;
const HEADER = Buffer.from(JSON.stringify({ kid: 'one' })).toString('base64url');
const bearer = (payloadAndSignature: string): string => `Bearer ${HEADER}.${payloadAndSignature}`;

describe('VerifiedTokens', () => {
  let keys: Map<string, { publicKey: ReturnType<typeof newKey> }>;
  let tokens: VerifiedTokens;

  beforeEach(() => {
    keys = new Map([['one', { publicKey: newKey() }]]);
    const find = (kid: string) => keys.get(kid) ?? null;
    tokens = new VerifiedTokens({ find } as unknown as SigningKeys);
  });

  it('should find a token only by the identical Authorization header', () => {
    const claims = claimsUntil(inSeconds(60));
    tokens.add(bearer('p.s'), claims);
    expect(tokens.find(bearer('p.s'))).toEqual(claims);
    for (const other of [bearer('p.t'), bearer('q.s'), `${bearer('p.s')} `, 'bearer', '']) {
      expect([other, tokens.find(other)]).toEqual([other, undefined]);
    }
    expect(tokens.find(undefined)).toBeUndefined();
  });

  it.each([0, -60, NaN, undefined, 'soon', null])(
    'should not cache a token without an expiry in the future (seconds from now: %p)',
    (seconds) => {
      const exp = typeof seconds === 'number' ? inSeconds(seconds) : seconds;
      tokens.add(bearer('p.s'), claimsUntil(exp));
      expect(tokens.find(bearer('p.s'))).toBeUndefined();
    },
  );

  it('should drop a token when it expires', async () => {
    tokens.add(bearer('p.s'), claimsUntil((Date.now() + 100) / 1_000));
    expect(tokens.find(bearer('p.s'))).toBeDefined();
    await until('the token to be dropped', () => tokens.find(bearer('p.s')) === undefined);
  });

  it('should freeze the shared claims', () => {
    const claims = claimsUntil(inSeconds(60));
    tokens.add(bearer('p.s'), claims);
    expect(Object.isFrozen(tokens.find(bearer('p.s')))).toBe(true);
  });

  it('should not find a token after its signing key was replaced or removed', () => {
    tokens.add(bearer('p.s'), claimsUntil(inSeconds(60)));
    keys.set('one', { publicKey: newKey() });
    expect(tokens.find(bearer('p.s'))).toBeUndefined();
    keys.clear();
    expect(tokens.find(bearer('p.s'))).toBeUndefined();
  });

  it('should drop the oldest of 10,001 tokens', () => {
    const claims = claimsUntil(inSeconds(60));
    for (let n = 0; n <= 10_000; n += 1) tokens.add(bearer(String(n)), claims);
    expect(tokens.find(bearer('0'))).toBeUndefined();
    expect(tokens.find(bearer('10000'))).toBeDefined();
  });

  it('should not store the text of a token', () => {
    tokens.add(bearer('the-secret'), claimsUntil(inSeconds(60)));
    const { tokens: cache } = tokens as unknown as { tokens: Map<string, unknown> };
    expect(JSON.stringify([...cache.entries()])).not.toContain('the-secret');
  });
});
