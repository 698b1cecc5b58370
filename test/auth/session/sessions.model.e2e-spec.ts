import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SigningKeys } from '../../../src/auth/token/signing-keys.js';
import { holdClock, SECOND } from '../../support/clock.js';
import { person } from '../../support/factories.js';
import { makeKey } from '../../support/jwt.js';
import { runs, RUNS_DEADLINE_MS } from '../../support/scale.js';
import { openSession, type OpenSession } from '../../support/sessions.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { AccountPool } from './model/accounts.js';
import { anyCommands, executed, type Subject } from './model/commands.js';
import { Run, type KeyRing } from './model/run.js';
import { simulate } from './model/simulation.js';
import type { Bounds } from './model/state.js';

/** So many at once, each with accounts and a time of its own: a run mostly waits for the disk. */
const LANES = 8;

/** Close to each other, so that few commands lead from one to the next; in the default order. */
const NARROW = { ACCESS_TOKEN_TTL: '15m', REFRESH_IDLE_TTL: '20m', SESSION_MAX_AGE: '30m' };

/**
 * Sessions against their model: rules.ts says in plain code what every request does, and each
 * answer, each stored record and each token ever issued must be what it says. A failure names the commands, shrunk, and below them what was sent in which order.
 */
describe.each([
  ['as they are by default', {}, runs({ short: 1_000, long: 30_000 })],
  ['close to each other', NARROW, runs({ short: 2_000, long: 70_000 })],
])('sessions with bounds %s', (_, env, count) => {
  let server: TestApp;
  let pool: AccountPool;
  let ring: KeyRing;
  let bounds: Bounds;

  beforeAll(async () => {
    // Nobody reads a million lines of it.
    server = await startApp({ env: { ...env, LOG_REQUESTS: 'none' } });
    // Those of the model are disabled and deleted, and the last admin could not be.
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

  afterAll(async () => {
    await server.close();
  });

  it(
    'should be what the model says, whatever happens in whatever order',
    async () => {
      const before = { ...executed };
      let failed: number | null = null;
      const checkLane = (lane: number): Promise<void> =>
        fc.assert(
          fc.asyncProperty(anyCommands, async (commands) => {
            // One report is enough; the others only wait for it to be shrunk.
            if (failed !== null && failed !== lane) return;
            try {
              const run = new Run(server, bounds, ring, [await pool.take(), await pool.take()]);
              await run.signIn();
              await fc.asyncModelRun((): Start => ({ model: { run }, real: null }), commands);
              await run.end();
            } catch (error) {
              failed ??= lane;
              throw error;
            }
            executed.runs += 1;
          }),
          { numRuns: Math.ceil(count / LANES) },
        );
      const lanes = Array.from({ length: LANES }, (__, lane) => checkLane(lane));
      const outcomes = await Promise.allSettled(lanes);
      const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
      const [runCount, commandCount] = [
        executed.runs - before.runs,
        executed.commands - before.commands,
      ];
      process.stdout.write(
        `model: ${runCount} runs, ${commandCount} commands, ${failures.length} failures\n`,
      );
      if (failures[0]) throw failures[0].reason;
      expect(runCount).toBeGreaterThanOrEqual(count);
      // Or commands had stopped to be possible, and the runs were empty.
      expect(commandCount).toBeGreaterThan(2 * runCount);
    },
    RUNS_DEADLINE_MS,
  );
});

interface Start {
  readonly model: Subject;
  readonly real: null;
}

async function signingKey({ env }: TestApp): Promise<KeyRing[number]> {
  return (await SigningKeys.load({ ...env, JWT_PRIVATE_KEYS: makeKey().pem })).current;
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Known from another server, where they left the thief or the owner signed in. */
describe('a refresh token that was left behind', () => {
  const ENDED = { code: '10003', status: 401, message: 'the session has ended: sign in again' };
  let server: TestApp;
  let session: OpenSession;

  beforeAll(async () => {
    server = await startApp();
  });

  afterAll(async () => {
    await server.close();
  });

  const refresh = ({ accessToken, refreshToken }: Tokens) =>
    server.client.as(accessToken).post<Tokens>('/auth/refresh', { refresh_token: refreshToken });
  const statusOf = async ({ accessToken }: Tokens): Promise<number> =>
    (await server.client.as(accessToken).get('/profile/mine')).status;
  const counterOf = ({ refreshToken }: Tokens): number => Number(refreshToken.split('.')[3]);

  /** Every pair of a session that was refreshed so often, the first one first. */
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

  it('should take 36 and every access token with it: 34, 35, 36, then 34 after the grace', async () => {
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

  it('should end the session within the grace too, unless it is the last one spent', async () => {
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
