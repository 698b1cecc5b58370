import { beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/wait.js';
import type { AccessTokenClaims } from './access-token.service.js';
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

describe('VerifiedTokens', () => {
  let tokens: VerifiedTokens;

  beforeEach(() => {
    tokens = new VerifiedTokens();
  });

  it('should find what was remembered, by the whole header', () => {
    const claims = claimsUntil(inSeconds(60));
    tokens.remember('Bearer h.p.s', claims);
    expect(tokens.find('Bearer h.p.s')).toEqual(claims);
    for (const other of [
      'Bearer h.p.t',
      'Bearer h.q.s',
      'Bearer h.p.s ',
      'bearer h.p.s',
      'h.p.s',
      '',
    ]) {
      expect([other, tokens.find(other)]).toEqual([other, undefined]);
    }
    expect(tokens.find(undefined)).toBeUndefined();
  });

  it.each([0, -60, NaN, undefined, 'soon', null])('should not remember one until %p', (seconds) => {
    const exp = typeof seconds === 'number' ? inSeconds(seconds) : seconds;
    tokens.remember('Bearer h.p.s', claimsUntil(exp));
    expect(tokens.find('Bearer h.p.s')).toBeUndefined();
  });

  it('should forget it when it expires', async () => {
    tokens.remember('Bearer h.p.s', claimsUntil((Date.now() + 100) / 1_000));
    expect(tokens.find('Bearer h.p.s')).toBeDefined();
    await until('it has expired', () => tokens.find('Bearer h.p.s') === undefined);
  });

  it('should let no request change what others share', () => {
    const claims = claimsUntil(inSeconds(60));
    tokens.remember('Bearer h.p.s', claims);
    expect(Object.isFrozen(tokens.find('Bearer h.p.s'))).toBe(true);
  });

  it('should be bounded', () => {
    const claims = claimsUntil(inSeconds(60));
    for (let n = 0; n <= 10_000; n += 1) tokens.remember(`Bearer ${n}`, claims);
    expect(tokens.find('Bearer 0')).toBeUndefined();
    expect(tokens.find('Bearer 10000')).toBeDefined();
  });

  it('should hold no credential', () => {
    tokens.remember('Bearer the-secret', claimsUntil(inSeconds(60)));
    const { tokens: kept } = tokens as unknown as { tokens: Map<string, unknown> };
    expect(JSON.stringify([...kept.entries()])).not.toContain('the-secret');
  });
});
