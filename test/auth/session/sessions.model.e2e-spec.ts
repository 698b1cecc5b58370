import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SigningKeys } from '../../../src/auth/token/signing-keys.js';
import { holdClock, SECOND } from '../../support/time/clock.js';
import { person } from '../../support/factories.js';
import { makeKey } from '../../support/jwt.js';
import { checkRuns } from '../../support/model/check-runs.js';
import { runs, RUNS_DEADLINE_MS } from '../../support/scale.js';
import { openSession, type OpenSession } from '../../support/sessions.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { AccountPool } from './model/accounts.js';
import { anyCommands } from './model/commands.js';
import { Run, type KeyRing } from './model/run.js';
import { simulate } from './model/simulation.js';
import type { Bounds } from './model/state.js';
import { SESSION_ENDED as ENDED } from '../../support/checks/refusal.js';

/** Close to each other, so that few commands reach the next bound; in the order of the defaults. */
const SHORT_LIFETIMES = {
  ACCESS_TOKEN_TTL: '15m',
  REFRESH_IDLE_TTL: '20m',
  SESSION_MAX_AGE: '30m',
};

/**
 * Model-based test of sessions. rules.ts defines what each request does; all responses, stored records
 * and issued tokens must agree with it. A failure shows the shrunk commands and the order of requests.
 */
describe.each([
  ['as they are by default', {}, runs({ short: 250, long: 30_000 })],
  ['close to each other', SHORT_LIFETIMES, runs({ short: 500, long: 70_000 })],
])('sessions with bounds %s', (_, env, count) => {
  let server: TestApp;
  let pool: AccountPool;
  let ring: KeyRing;
  let bounds: Bounds;

  beforeAll(async () => {
    // Without a log of a million lines.
    server = await startApp({ env: { ...env, LOG_REQUESTS: 'none' } });
    // The model disables and deletes accounts, and the last admin cannot be.
    await person(server, 'ADMIN');
    pool = new AccountPool(server.db);
    ring = await Promise.all(Array.from({ length: 3 }, () => signingKey(server)));
    bounds = {
      accessMs: server.env.ACCESS_TOKEN_TTL,
      idleMs: server.env.REFRESH_IDLE_TTL,
      maxAgeMs: server.env.SESSION_MAX_AGE,
    };
    simulate(server.app);
  });

  it(
    'should agree with the model for any order of commands',
    () =>
      checkRuns({
        count,
        start: fc.constant(null),
        commands: anyCommands,
        begin: async () => {
          const run = new Run(server, bounds, ring, [await pool.take(), await pool.take()]);
          await run.signIn();
          return run;
        },
        end: (run) => run.end(),
      }),
    RUNS_DEADLINE_MS,
  );
});

async function signingKey({ env }: TestApp): Promise<KeyRing[number]> {
  return (await SigningKeys.load({ ...env, JWT_PRIVATE_KEYS: makeKey().pem })).current;
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Cases in which another server left the thief or the owner signed in. */
describe('the reuse of an old refresh token', () => {
  let server: TestApp;
  let session: OpenSession;

  beforeAll(async () => {
    server = await startApp();
  });

  const refresh = ({ accessToken, refreshToken }: Tokens) =>
    server.client.as(accessToken).post<Tokens>('/auth/refresh', { refresh_token: refreshToken });
  const statusOf = async ({ accessToken }: Tokens): Promise<number> =>
    (await server.client.as(accessToken).get('/profile/mine')).status;
  const counterOf = ({ refreshToken }: Tokens): number => Number(refreshToken.split('.')[3]);

  /** All token pairs of a session after so many refreshes, in order. */
  const chain = async (length: number): Promise<Tokens[]> => {
    session = await openSession(server, await person(server));
    const pairs: Tokens[] = [session];
    for (let last = pairs[0]; last && pairs.length <= length; last = pairs.at(-1)) {
      const { status, body } = await refresh(last);
      expect(status).toBe(200);
      pairs.push(body.data);
    }
    return pairs;
  };
  const expectAllDead = async (pairs: readonly Tokens[], last: Tokens): Promise<void> => {
    expect(await Promise.all(pairs.map(statusOf))).toEqual(pairs.map(() => 401));
    expect((await refresh(last)).body).toEqual(ENDED);
  };

  it('should end the session with token 36 when 34 is reused after the grace period', async () => {
    const clock = holdClock(server.app);
    const pairs = await chain(36);
    const [fromEnd34, , last] = pairs.slice(-3) as [Tokens, Tokens, Tokens];
    expect([counterOf(fromEnd34), counterOf(last)]).toEqual([34, 36]);
    expect(await Promise.all(pairs.map(statusOf))).toEqual(pairs.map(() => 200));
    clock.advance(10 * SECOND + 1);
    expect((await refresh(fromEnd34)).body).toEqual(ENDED);
    await expectAllDead(pairs, last);
    clock.release();
  });

  it('should end the session within the grace period too, unless it is the last spent token', async () => {
    const clock = holdClock(server.app);
    const pairs = await chain(3);
    const [, ancestor, predecessor, last] = pairs as [Tokens, Tokens, Tokens, Tokens];
    clock.advance(SECOND);
    const again = await refresh(predecessor);
    expect(again.status).toBe(200);
    expect(again.body.data.refreshToken).toBe(last.refreshToken);
    expect((await refresh(ancestor)).body).toEqual(ENDED);
    await expectAllDead([...pairs, again.body.data], last);
    clock.release();
  });
});
