import { beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { SigningKeys } from '../../../src/auth/keys/signing-keys.js';
import { person } from '../../support/factories.js';
import { makeKey } from '../../support/jwt.js';
import { checkRuns } from '../../support/model/check-runs.js';
import { runs, RUNS_DEADLINE_MS } from '../../support/scale.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { AccountPool } from './model/accounts.js';
import { anyCommands } from './model/commands/commands.js';
import { Run, type KeyRing } from './model/run.js';
import { simulate } from './model/simulation.js';
import type { Lifetimes } from './model/state.js';

/** Lifetimes that are close to each other, so that a few commands outlast them all. Their order is the default one. */
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
  ['default lifetimes', {}, runs({ short: 60, long: 30_000 })],
  ['lifetimes close to each other', SHORT_LIFETIMES, runs({ short: 120, long: 70_000 })],
])('sessions with %s', (_, env, count) => {
  let server: TestApp;
  let pool: AccountPool;
  let ring: KeyRing;
  let lifetimes: Lifetimes;

  beforeAll(async () => {
    // Logging every request would write a million lines.
    server = await startApp({ env: { ...env, LOG_REQUESTS: 'none' } });
    // The model disables and deletes accounts, which is refused if there is no admin.
    await person(server, 'ADMIN');
    pool = new AccountPool(server.db);
    ring = await Promise.all(Array.from({ length: 3 }, () => signingKey(server)));
    lifetimes = {
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
          const run = new Run(server, lifetimes, ring, [await pool.take(), await pool.take()]);
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
