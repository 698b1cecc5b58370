import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { validateEnv } from '../../platform/config/env.js';
import { issueRefreshToken, verifyRefreshToken } from './refresh-token.js';
import { SigningKeys } from '../keys/signing-keys.js';

const makePem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
const load = (pem: string) =>
  SigningKeys.load(validateEnv({ NODE_ENV: 'test', JWT_PRIVATE_KEYS: pem }));

describe('refresh tokens', () => {
  const sessionId = new Types.ObjectId('66f1a2b3c4d5e6f708192a3b');
  let keys: SigningKeys;
  let token: string;

  beforeAll(async () => {
    keys = await load(makePem());
    token = issueRefreshToken(keys, { sessionId, counter: 7 });
  });

  it('should contain session and counter, and be valid', () => {
    expect(token).toMatch(
      new RegExp(`^v1\\.${keys.current.kid}\\.66f1a2b3c4d5e6f708192a3b\\.7\\.[\\w-]{43}$`),
    );
    expect(verifyRefreshToken(keys, token)).toEqual({ sessionId, counter: 7 });
  });

  it('should be the same for the same session and counter, and differ for another counter', () => {
    expect(issueRefreshToken(keys, { sessionId, counter: 7 })).toBe(token);
    expect(issueRefreshToken(keys, { sessionId, counter: 8 })).not.toBe(token);
  });

  it('should be invalid with any one character changed', () => {
    const accepted = [...token].flatMap((character, index) => {
      const other = character === '1' ? '2' : '1';
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      return verifyRefreshToken(keys, changed) === null ? [] : [changed];
    });
    expect(accepted).toEqual([]);
  });

  it.each(['', 'v1', 'v1....', 'x'.repeat(10_000)])('should not verify %j', (text) => {
    expect(verifyRefreshToken(keys, text)).toBeNull();
  });

  it('should be invalid with text before or after it', () => {
    for (const text of [` ${token}`, `${token}\n`, `${token}.x`, `x.${token}`]) {
      expect(verifyRefreshToken(keys, text)).toBeNull();
    }
  });

  it('should be valid with an older key until that key is removed', async () => {
    const [older, newer] = [makePem(), makePem()];
    const issued = issueRefreshToken(await load(older), { sessionId, counter: 1 });
    expect(verifyRefreshToken(await load(newer + older), issued)).toEqual({
      sessionId,
      counter: 1,
    });
    expect(verifyRefreshToken(await load(newer), issued)).toBeNull();
  });
});
