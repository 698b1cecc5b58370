import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '../../../src/platform/http/errors/api.errors.js';
import { PasswordHasher } from '../../../src/auth/password/password-hasher.js';
import { PasswordBulkhead } from '../../../src/auth/password/password-bulkhead.js';
import { stopDate } from '../../support/time/clock.js';
import type { Answer } from '../../support/client.js';
import { PASSWORD, person, type Person } from '../../support/factories.js';
import { runs, RUNS_DEADLINE_MS } from '../../support/scale.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

const LIMITS = {
  RATE_LIMITS: 'on',
  TRUST_PROXY: '127.0.0.1',
  GUESSES_PER_ACCOUNT: '5/1d',
  GUESSES_PER_NETWORK: '20/1h',
};

const WRONG = {
  code: '10001',
  status: 401,
  message: 'invalid email or password',
  reason: 'invalid_credentials',
};
const ATTACKER_ADDRESS = '198.51.100.7';
const OWNER_ADDRESS = '203.0.113.9';
const OWNER_SIGN_INS = 5;
const ATTEMPTS = runs({ short: 200, long: 2_000 });

describe('login throttling', () => {
  let server: TestApp;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp({ env: LIMITS });
  });

  let releaseDate: () => void;
  let matches: jest.SpiedFunction<PasswordHasher['matches']>;

  beforeEach(async () => {
    // On a busy machine the first lockout, which lasts 1 s, could end before the next attempt.
    releaseDate = stopDate();
    await server.db.collection('rate_limits').deleteMany();
    ada = await person(server);
    // The tests count how often a password is checked, so a cheap comparison is enough.
    matches = jest
      .spyOn(server.app.get(PasswordHasher), 'matches')
      .mockImplementation((password) => Promise.resolve(password === PASSWORD));
  });

  afterEach(() => {
    releaseDate();
    jest.restoreAllMocks();
  });

  const counters = () => server.db.collection('rate_limits');

  const signIn = (
    password: string,
    { from = ATTACKER_ADDRESS, email = ada.email } = {},
  ): Promise<Answer<unknown>> =>
    server.client.post(
      '/auth/signin/basic',
      { email, password },
      { headers: { 'x-forwarded-for': from } },
    );

  /** Signs in with wrong passwords. @returns the statuses */
  async function attempt(times: number, options?: Parameters<typeof signIn>[1]): Promise<number[]> {
    const statuses: number[] = [];
    for (let number = 0; number < times; number++) {
      statuses.push((await signIn(`guess ${number}`, options)).status);
    }
    return statuses;
  }

  /** Lets the lockouts expire. The keys of their counters contain `-gate:`. */
  const expireLockouts = () =>
    counters().updateMany({ key: /-gate:/ }, { $set: { expire: new Date(Date.now() - 1) } });

  function expectDelay({ status, body, headers }: Answer<unknown>, seconds: number): void {
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe(String(seconds));
    const unit = seconds === 1 ? 'second' : 'seconds';
    expect(body).toEqual({
      code: '10002',
      status: 429,
      message: `too many attempts: try again in ${seconds} ${unit}`,
      reason: 'rate_limited',
    });
  }

  it('should lock out after five failures, for a time that doubles', async () => {
    expect(await attempt(5)).toEqual([401, 401, 401, 401, 401]);
    for (const seconds of [1, 2, 4, 8, 16]) {
      expectDelay(await signIn('one too many'), seconds);
      await expireLockouts();
      expect((await signIn('after the delay')).body).toEqual(WRONG);
    }
  });

  it('should neither count attempts during a lockout nor extend it', async () => {
    await attempt(5);
    const before = await counters().find().sort({ key: 1 }).toArray();
    expect(before.some(({ key }) => String(key).startsWith('guess-account-gate:'))).toBe(true);
    expect(await attempt(10)).toEqual(Array<number>(10).fill(429));
    expect(await counters().find().sort({ key: 1 }).toArray()).toEqual(before);
    await expireLockouts();
    await attempt(1);
    expectDelay(await signIn('x'), 2);
  });

  it('should lock out for at most GUESS_DELAY_MAX', async () => {
    await attempt(5);
    await counters().updateMany({ key: /^guess-account-failures/ }, { $set: { points: 500 } });
    await expireLockouts();
    await attempt(1);
    expectDelay(await signIn('x'), 900);
  });

  it('should refuse the right password during a lockout without checking it', async () => {
    await attempt(5);
    matches.mockClear();
    expect((await signIn(PASSWORD)).status).toBe(429);
    expect(matches).not.toHaveBeenCalled();
  });

  it('should respond to an unknown email address in the same way', async () => {
    const nobody = { email: 'nobody@example.org' };
    const known = [...(await attempt(5)), await signIn('x')];
    await counters().deleteMany();
    const unknown = [...(await attempt(5, nobody)), await signIn('x', nobody)];
    const textOf = (answer: unknown) => (answer as Answer<unknown>).text ?? answer;
    expect(unknown.map(textOf)).toEqual(known.map(textOf));
  });

  it('should reset the failures of the account after a success', async () => {
    await attempt(4);
    expect((await signIn(PASSWORD)).status).toBe(200);
    expect(await attempt(5)).toEqual([401, 401, 401, 401, 401]);
  });

  it('should count failures only', async () => {
    for (let number = 0; number < 12; number++) {
      expect((await signIn(PASSWORD)).status).toBe(200);
    }
    const left = await counters()
      .find({ points: { $gt: 0 } })
      .toArray();
    expect(left).toEqual([]);
  });

  it('should not count an attempt whose check failed', async () => {
    const busy = new UnavailableError('busy');
    for (let number = 0; number < 12; number++) matches.mockRejectedValueOnce(busy);
    expect(await attempt(12)).toEqual(Array<number>(12).fill(503));
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  it('should check at most five of sixty concurrent passwords', async () => {
    // The bulkhead of one process would run only a few at a time. Many processes together may run 60.
    const options = server.app.get(PasswordBulkhead)['options'];
    const { maxConcurrent } = options;
    Object.assign(options, { maxConcurrent: 60 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) => signIn(`guess ${number}`)),
    );
    Object.assign(options, { maxConcurrent });
    expect(matches.mock.calls.length).toBeLessThanOrEqual(5);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(matches.mock.calls.length);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(55);
  });

  it('should throttle attempts at many accounts by client prefix', async () => {
    for (let number = 0; number < 20; number++) {
      const answer = await signIn('x', { email: `victim-${number}@example.org` });
      expect(answer.status).toBe(401);
    }
    expectDelay(await signIn('x', { email: 'one-more@example.org' }), 1);
    expectDelay(await signIn(PASSWORD), 1);
    expect((await signIn(PASSWORD, { from: OWNER_ADDRESS })).status).toBe(200);
    await expireLockouts();
    // A success takes back only what its own attempt counted, so the 20 failures before it still count.
    expect((await signIn(PASSWORD)).status).toBe(200);
    expect((await signIn('x')).status).toBe(401);
    expect((await signIn('x')).status).toBe(429);
  });

  it('should also count wrong passwords for a change of password and a deletion of the account', async () => {
    const fromAttacker = { headers: { 'x-forwarded-for': ATTACKER_ADDRESS } };
    const wrongChange = { currentPassword: 'wrong', newPassword: 'four candles' };
    for (let number = 0; number < 3; number++) {
      expect((await ada.client.put('/auth/password', wrongChange, fromAttacker)).status).toBe(401);
    }
    for (let number = 0; number < 2; number++) {
      const body = { password: 'wrong' };
      expect((await ada.client.delete('/profile/mine', { body, ...fromAttacker })).status).toBe(
        401,
      );
    }
    expectDelay(await ada.client.put('/auth/password', wrongChange, fromAttacker), 1);
    expectDelay(
      await ada.client.delete('/profile/mine', { body: { password: 'x' }, ...fromAttacker }),
      1,
    );
    expectDelay(await signIn(PASSWORD), 1);
  });

  it('should store no email or IP address in the counters', async () => {
    await attempt(2);
    const keys = (await counters().find().toArray()).map(({ key }) => String(key));
    expect(keys.length).toBeGreaterThanOrEqual(2);
    for (const key of keys) {
      expect(key).not.toContain(ada.email);
      expect(key).not.toContain(ATTACKER_ADDRESS);
    }
  });

  it(
    `should let the owner sign in during ${ATTEMPTS} attempts from another client prefix`,
    async () => {
      const attempts = { made: 0, statuses: new Map<number, number>() };
      const attacker = async (): Promise<void> => {
        while (attempts.made < ATTEMPTS) {
          const number = (attempts.made += 1);
          const { status } = await signIn(`guess ${number}`, {
            from: `198.51.100.${number % 250}`,
          });
          attempts.statuses.set(status, (attempts.statuses.get(status) ?? 0) + 1);
        }
      };
      const owner = async (): Promise<number[]> => {
        const statuses: number[] = [];
        while (statuses.length < OWNER_SIGN_INS) {
          const due = (statuses.length * ATTEMPTS) / OWNER_SIGN_INS;
          await until(`${due} attempts`, () => attempts.made >= due, RUNS_DEADLINE_MS);
          statuses.push((await signIn(PASSWORD, { from: OWNER_ADDRESS })).status);
        }
        return statuses;
      };
      const [statuses] = await Promise.all([owner(), ...Array.from({ length: 16 }, attacker)]);
      expect(statuses).toEqual(Array<number>(OWNER_SIGN_INS).fill(200));
      const { 401: checked = 0, 429: refused = 0 } = Object.fromEntries(attempts.statuses);
      expect(checked + refused).toBe(attempts.made);
      // Date stands still, so the first lockout does not end, and only the five attempts before it are checked.
      expect(checked).toBe(5);
      expect(matches).toHaveBeenCalledTimes(checked + OWNER_SIGN_INS);
    },
    RUNS_DEADLINE_MS,
  );
});
