import { afterEach, describe, expect, it, jest } from '@jest/globals';
import bcrypt from 'bcryptjs';
import { compare, hash, isCommon } from './bcrypt.worker.js';

/** Lower than the configuration allows, for speed; bcrypt's least is 4. */
const COST = 7;

/** The rounds of every comparison that a call makes, in order. */
function roundsOf(call: () => boolean): { isMatch: boolean; rounds: number[] } {
  const spy = jest.spyOn(bcrypt, 'compareSync');
  const isMatch = call();
  return { isMatch, rounds: spy.mock.calls.map(([, stored]) => 2 ** bcrypt.getRounds(stored)) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

describe('compare', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('should match the password that was hashed and no other', () => {
    const stored = hash({ password: 'correct horse', cost: COST });
    expect(bcrypt.getRounds(stored)).toBe(COST);
    for (const [password, isMatch] of [
      ['correct horse', true],
      ['Correct horse', false],
      ['', false],
    ] as const) {
      expect(compare({ password, hash: stored, cost: COST })).toBe(isMatch);
    }
  });

  it('should know hashes of the older server', () => {
    const stored = bcrypt.hashSync('old password', 4);
    for (const variant of ['$2a$', '$2b$', '$2y$']) {
      const spelt = stored.replace('$2b$', variant);
      expect(compare({ password: 'old password', hash: spelt, cost: COST })).toBe(true);
    }
  });

  it.each([
    ['no account', null],
    ['a wrong password', bcrypt.hashSync('another', COST)],
    ['an old hash of the least cost', bcrypt.hashSync('another', 4)],
    ['an old hash of a little lower cost', bcrypt.hashSync('another', COST - 1)],
    ['what is no hash', 'a plain password of another server'],
    ['a hash that is cut', bcrypt.hashSync('any password', COST).slice(0, -1)],
    ['an empty text', ''],
  ])('should do the work of one comparison at the present cost for %s', (_, stored) => {
    const { isMatch, rounds } = roundsOf(() =>
      compare({ password: 'any password', hash: stored, cost: COST }),
    );
    expect(isMatch).toBe(false);
    expect(sum(rounds)).toBe(2 ** COST);
  });

  it('should compare once when the password is right', () => {
    const stored = bcrypt.hashSync('right', COST);
    const { isMatch, rounds } = roundsOf(() =>
      compare({ password: 'right', hash: stored, cost: COST }),
    );
    expect([isMatch, rounds]).toEqual([true, [2 ** COST]]);
  });
});

describe('isCommon', () => {
  it.each(['password', '12345678', 'PASSWORD1', 'Qwertyuiop', 'trustno1', 'baseball'])(
    'should know %s',
    async (password) => {
      expect(await isCommon(password)).toBe(true);
    },
  );

  it.each(['correct horse battery', '', 'p', 'pressroom-9f2c', '__proto__', 'constructor'])(
    'should not know %j',
    async (password) => {
      expect(await isCommon(password)).toBe(false);
    },
  );

  it('should hold 3,000 that are long enough, the most common first', async () => {
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    const longEnough = dictionary['passwords-common'].filter(({ length }) => length >= 8);
    const known = await Promise.all(longEnough.map(isCommon));
    expect(known.slice(0, 3_000).every(Boolean)).toBe(true);
    expect(known.filter(Boolean)).toHaveLength(3_000);
  });
});
