import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigService } from '@nestjs/config';
import bcrypt from 'bcryptjs';
import type { Env } from '../config/env.js';
import { PasswordHasher } from './password-hasher.js';

/** Lower than the configuration allows, for speed. */
const COST = 5;

describe('PasswordHasher', () => {
  let hasher: PasswordHasher;

  beforeAll(() => {
    hasher = new PasswordHasher(new ConfigService<Env, true>({ BCRYPT_COST: COST }));
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('should match the password that was hashed and no other', async () => {
    const hash = await hasher.hash('correct horse');
    expect(bcrypt.getRounds(hash)).toBe(COST);
    expect(await hasher.matches('correct horse', hash)).toBe(true);
    expect(await hasher.matches('Correct horse', hash)).toBe(false);
    expect(await hasher.matches('', hash)).toBe(false);
  });

  it('should do the work of a comparison when there is no account', async () => {
    const compare = jest.spyOn(bcrypt, 'compare');
    expect(await hasher.matches('any password', null)).toBe(false);
    expect(await hasher.matches('any password', null)).toBe(false);
    const hashes = compare.mock.calls.map(([, hash]) => hash);
    expect(hashes.map((hash) => bcrypt.getRounds(hash))).toEqual([COST, COST]);
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('should never match without an account, not even the password of its stand-in', async () => {
    expect(await hasher.matches('no account has this password', null)).toBe(false);
  });

  it.each([
    [COST - 1, true],
    [COST, false],
    [COST + 1, false],
  ])('should call a hash of cost %i outdated: %s', async (cost, outdated) => {
    expect(hasher.isOutdated(await bcrypt.hash('x', cost))).toBe(outdated);
  });

  it('should know hashes of the older server', async () => {
    const hash = (await bcrypt.hash('old password', 4)).replace('$2b$', '$2a$');
    expect(await hasher.matches('old password', hash)).toBe(true);
    expect(hasher.isOutdated(hash)).toBe(true);
  });
});
