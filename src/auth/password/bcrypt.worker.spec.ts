import { describe, expect, it } from '@jest/globals';
import {
  compare,
  hash,
  isCommon,
  loadBcrypt,
  type Bcrypt,
  type BcryptName,
} from './bcrypt.worker.js';

/** A bcrypt cost below what the configuration allows, so that the tests are fast. bcrypt's minimum is 4. */
const COST = 7;

const NAMES: readonly BcryptName[] = ['@node-rs/bcrypt', 'bcryptjs'];

/** Passwords whose hash by one module must match in the other. */
const PASSWORDS = [
  ['nothing', ''],
  ['ASCII', 'correct horse'],
  ['letters of two bytes', 'naïveté ünd ß'],
  ['letters outside the Basic Multilingual Plane', 'pässwörd 😀 𝔸'],
  ['a byte order mark', '\ufeffcorrect horse'],
  ['NUL', 'a\0b'],
  ['NUL alone', '\0'],
  ['72 bytes', 'x'.repeat(72)],
  ['72 bytes in 36 letters', 'é'.repeat(36)],
  ['73 bytes, of which the last two are one letter', `x${'é'.repeat(36)}`],
  ['300 bytes', 'q'.repeat(300)],
  ['a high surrogate alone', 'a\ud800b'],
  ['a low surrogate alone', '\udc00'],
  ['a low surrogate before a high one', '\udc00\ud800'],
] as const;

/** Runs a comparison. @returns its result, and the rounds of each bcrypt call in order */
function recordRounds(
  bcrypt: Bcrypt,
  call: (recorded: Bcrypt) => boolean,
): { isMatch: boolean; rounds: number[] } {
  const rounds: number[] = [];
  const isMatch = call({
    ...bcrypt,
    matches: (password, stored) => {
      rounds.push(2 ** Number(stored.split('$')[2]));
      return bcrypt.matches(password, stored);
    },
  });
  return { isMatch, rounds };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

/** Sets stray bits in the last base64 character of the salt (index 28) or of the digest (index 59). */
const withStrayBits = (stored: string, index: number): string =>
  `${stored.slice(0, index)}z${stored.slice(index + 1)}`;

describe.each(NAMES)('compare with %s', (name) => {
  const bcrypt = loadBcrypt(name);
  const other = loadBcrypt(NAMES.find((candidate) => candidate !== name));
  const hashOf = (password: string, cost: number): string => hash({ password, cost }, bcrypt);

  it('should load this module, and the other one to test against', () => {
    expect([bcrypt.name, other.name].toSorted()).toEqual(NAMES);
  });

  it.each(PASSWORDS)('should match a hash of the other module in every version: %s', (_, text) => {
    const stored = hash({ password: text, cost: 4 }, other);
    for (const variant of ['$2a$', '$2b$', '$2y$']) {
      const spelt = stored.replace('$2b$', variant);
      expect(compare({ password: text, hash: spelt, cost: 4 }, bcrypt)).toBe(true);
      expect(compare({ password: `_${text}`, hash: spelt, cost: 4 }, bcrypt)).toBe(false);
    }
  });

  it('should use 72 bytes, NUL included, and read an unpaired surrogate as U+FFFD', () => {
    const matches = (password: string, hashed: string): boolean =>
      compare({ password, hash: hashOf(hashed, 4), cost: 4 }, bcrypt);
    const long = 'x'.repeat(72);
    expect([matches(`${long}y`, long), matches(`${long.slice(1)}y`, long)]).toEqual([true, false]);
    expect([matches('a\0b', 'a\0c'), matches('a', 'a\0')]).toEqual([false, false]);
    expect([matches('a\ud800', 'a\ufffd'), matches('a\udfff', 'a\ud800')]).toEqual([true, true]);
  });

  it.each([
    ['no account', null],
    ['a wrong password', hashOf('another', COST)],
    ['an old hash of the minimum cost', hashOf('another', 4)],
    ['an old hash whose cost is lower by one', hashOf('another', COST - 1)],
    ['a text that is no hash', 'a plain password of another server'],
    ['a truncated hash', hashOf('any password', COST).slice(0, -1)],
    ['a hash with a stray bit in its salt', withStrayBits(hashOf('any password', COST), 28)],
    ['a hash with a stray bit in its digest', withStrayBits(hashOf('any password', COST), 59)],
    ['a hash with a cost that is too low', hashOf('any password', COST).replace('$07$', '$03$')],
    ['a hash with a cost that is too high', hashOf('any password', COST).replace('$07$', '$32$')],
    ['an empty text', ''],
  ])('should do the work of one comparison at the configured cost for %s', (_, stored) => {
    const { isMatch, rounds } = recordRounds(bcrypt, (recorded) =>
      compare({ password: 'any password', hash: stored, cost: COST }, recorded),
    );
    expect(isMatch).toBe(false);
    expect(sum(rounds)).toBe(2 ** COST);
  });

  it('should compare once when the password is right', () => {
    const stored = hashOf('right', COST);
    const { isMatch, rounds } = recordRounds(bcrypt, (recorded) =>
      compare({ password: 'right', hash: stored, cost: COST }, recorded),
    );
    expect([isMatch, rounds]).toEqual([true, [2 ** COST]]);
  });

  // The test measures the time, because a module could reject a malformed hash without hashing.
  it.each([
    ['no account', null],
    ['a hash with a stray bit in its salt', withStrayBits(hashOf('any password', 9), 28)],
    ['a hash with a stray bit in its digest', withStrayBits(hashOf('any password', 9), 59)],
    ['an old hash of lower cost', hashOf('another', 5)],
  ])('should take as long for %s as for a wrong password', (_, testedHash) => {
    const usualHash = hashOf('right', 9);
    const timeOf = (storedHash: string | null): number => {
      const startedAt = process.threadCpuUsage();
      compare({ password: 'wrong', hash: storedHash, cost: 9 }, bcrypt);
      const { user, system } = process.threadCpuUsage(startedAt);
      return user + system;
    };
    // Other load on the machine only adds time, so the fastest run of each counts. They run in turn.
    const times = Array.from({ length: 6 }, () => [timeOf(testedHash), timeOf(usualHash)] as const);
    const ratio =
      Math.min(...times.map(([tested]) => tested)) / Math.min(...times.map(([, usual]) => usual));
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.4);
  });
});

describe('isCommon', () => {
  it.each(['password', '12345678', 'PASSWORD1', 'Qwertyuiop', 'trustno1', 'baseball'])(
    'should be true for %s',
    async (password) => {
      expect(await isCommon(password)).toBe(true);
    },
  );

  it.each(['correct horse battery', '', 'p', 'pressroom-9f2c', '__proto__', 'constructor'])(
    'should be false for %j',
    async (password) => {
      expect(await isCommon(password)).toBe(false);
    },
  );

  it('should be true for the 3,000 most common passwords of 8 characters or more, and no others', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    const longEnough = dictionary['passwords-common'].filter(({ length }) => length >= 8);
    const known = await Promise.all(longEnough.map(isCommon));
    expect(known.slice(0, 3_000).every(Boolean)).toBe(true);
    expect(known.filter(Boolean)).toHaveLength(3_000);
  });
});
