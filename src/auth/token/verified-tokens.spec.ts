import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../../test/support/wait.js';
import { remembering, type JwtVerifier } from './verified-tokens.js';

const [key, otherKey] = [0, 1].map(() => generateKeyPairSync('ed25519').publicKey) as [
  Parameters<JwtVerifier>[1],
  Parameters<JwtVerifier>[1],
];
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

describe('remembering', () => {
  let claims: Record<string, unknown>;
  let error: Error | null;
  const verifier = jest.fn<JwtVerifier>((_token, _key, _options, callback) => {
    callback(error, error ? undefined : { ...claims });
  });
  let verify: (token: string, by?: typeof key) => unknown;

  beforeEach(() => {
    claims = { sub: 'ada', exp: inSeconds(60) };
    error = null;
    const remember = remembering(verifier);
    verify = (token, by = key) => {
      let outcome: unknown;
      remember(token, by, {}, (problem, found) => (outcome = problem ?? found));
      return outcome;
    };
  });

  afterEach(() => {
    verifier.mockClear();
  });

  it('should verify a token once', () => {
    expect([verify('a'), verify('a'), verify('a')]).toEqual([claims, claims, claims]);
    expect(verifier).toHaveBeenCalledTimes(1);
  });

  it('should verify every other token, and one that differs in its signature only', () => {
    for (const token of ['h.p.s', 'h.p.t', 'h.q.s', 'h.p.s ']) verify(token);
    expect(verifier).toHaveBeenCalledTimes(4);
  });

  it('should verify again under another key', () => {
    verify('a', key);
    error = new Error('signature');
    expect(verify('a', otherKey)).toBe(error);
    expect(verify('a', key)).toEqual(claims);
  });

  it('should never remember a refusal', () => {
    error = new Error('signature');
    expect([verify('a'), verify('a')]).toEqual([error, error]);
    error = null;
    expect(verify('a')).toEqual(claims);
    expect(verifier).toHaveBeenCalledTimes(3);
  });

  it.each([0, -60, NaN, undefined, 'soon', null])(
    'should not remember a token whose exp is %s from now',
    (offset) => {
      claims = { exp: typeof offset === 'number' ? inSeconds(offset) : offset };
      verify('a');
      verify('a');
      expect(verifier).toHaveBeenCalledTimes(2);
    },
  );

  it('should forget a token when it expires', async () => {
    claims = { exp: Date.now() / 1_000 + 0.05 };
    verify('a');
    verify('a');
    expect(verifier).toHaveBeenCalledTimes(1);
    await until('the token to be verified again', () => {
      verify('a');
      return verifier.mock.calls.length === 2;
    });
  });

  it('should be bounded', () => {
    for (let number = 0; number <= 10_000; number++) verify(`token ${number}`);
    verifier.mockClear();
    verify('token 10000');
    expect(verifier).not.toHaveBeenCalled();
    verify('token 0');
    expect(verifier).toHaveBeenCalledTimes(1);
  });

  it('should hand out claims that nobody can change', () => {
    verify('a');
    const found = verify('a') as Record<string, unknown>;
    expect(() => {
      found['sub'] = 'eve';
    }).toThrow(TypeError);
    expect(verify('a')).toEqual(claims);
  });
});
