import fc from 'fast-check';
import { DAY, MINUTE, SECOND } from '../../../../support/time/clock.js';
import { RunCommand, weighted, type ModelContext } from '../../../../support/model/run-command.js';
import { runs } from '../../../../support/scale.js';
import * as plans from './plans.js';
import { fromEnd, recentIndex, type Plan } from './plans.js';
import type { Run } from '../run.js';
import { GRACE_MS, type Session } from '../state.js';

type Command = RunCommand<Run>;

const perform = (planned: fc.Arbitrary<Plan>): fc.Arbitrary<Command> =>
  planned.map(
    ({ label, build }) =>
      new RunCommand<Run>(
        label,
        (run) => build(run) !== null,
        async (run) => {
          const operation = build(run);
          if (operation) await run.perform(operation);
        },
      ),
  );

const performBoth = (planned: fc.Arbitrary<Plan>): fc.Arbitrary<Command> =>
  fc.tuple(planned, planned, fc.constantFrom(0, 0, 1, 3, 6, 12)).map(
    ([first, second, turns]) =>
      new RunCommand<Run>(
        `at once, the second after ${turns} turns of the event loop: ${first.label} | ${second.label}`,
        (run) => first.build(run) !== null && second.build(run) !== null,
        async (run) => {
          const [one, other] = [first.build(run), second.build(run)];
          if (one && other) await run.performBoth(one, other, turns);
        },
      ),
  );

const hold = (planned: fc.Arbitrary<Plan>): fc.Arbitrary<Command> =>
  planned.map(
    ({ label, build }) =>
      new RunCommand<Run>(
        `hold: ${label}`,
        (run) => build(run) !== null,
        async (run) => {
          const operation = build(run);
          if (operation) await run.hold(operation);
        },
      ),
  );

const resume = fc.nat({ max: 2 }).map(
  (index) =>
    new RunCommand<Run>(
      `resume ${index}`,
      ({ held }) => index < held.length,
      (run) => run.resume(index),
    ),
);

/** The response is lost, and the client repeats the request after a while. */
const lostResponse = fc
  .tuple(plans.refresh, fc.constantFrom(0, GRACE_MS - 1, GRACE_MS, GRACE_MS + 1, MINUTE))
  .map(
    ([{ label, build }, delay]) =>
      new RunCommand<Run>(
        `response lost, request repeated after ${delay} ms: ${label}`,
        (run) => build(run) !== null,
        async (run) => {
          const operation = build(run);
          if (!operation) return;
          await run.perform(operation);
          run.moveTo(run.state.now + delay);
          await run.perform(operation);
        },
      ),
  );

/** What ends at a bound: an access token, a grace period, a session, or its maximum age. */
const BOUNDS = ['access token', 'grace', 'session', 'age', 'personal token'] as const;

function boundOf(run: Run, bound: (typeof BOUNDS)[number], index: number): number | null {
  const { accessTokens, personalTokens, sessions, lifetimes } = run.state;
  const ofSession = (timeOf: (session: Session) => number): number | null => {
    const session = fromEnd(sessions, index);
    return session && timeOf(session);
  };
  switch (bound) {
    case 'access token':
      return (fromEnd(accessTokens, index)?.exp ?? 0) * 1_000;
    case 'personal token':
      return fromEnd(personalTokens, index)?.expiresAt ?? null;
    case 'grace':
      return ofSession(({ rotatedAt }) => (rotatedAt ?? 0) + GRACE_MS);
    case 'session':
      return ofSession(({ expiresAt }) => expiresAt);
    case 'age':
      return ofSession(({ createdAt }) => createdAt + lifetimes.maxAgeMs);
  }
}

const moveToBound = fc
  .record({
    bound: fc.constantFrom(...BOUNDS),
    index: recentIndex,
    offset: fc.constantFrom(-1, 0, 1),
  })
  .map(({ bound, index, offset }) => {
    const target = (run: Run): number => (boundOf(run, bound, index) ?? 0) + offset;
    return new RunCommand<Run>(
      `move to the end of ${bound} ${index}, plus ${offset} ms`,
      (run) => target(run) > run.state.now,
      (run) => run.moveTo(target(run)),
    );
  });

const moveTime = fc.constantFrom(1, SECOND, 5 * SECOND, MINUTE, DAY).map(
  (ms) =>
    new RunCommand<Run>(
      `${ms} ms pass`,
      () => true,
      (run) => run.moveTo(run.state.now + ms),
    ),
);

const introduceKey = fc.constant(
  new RunCommand<Run>(
    'introduce a key',
    (run) => run.unusedKid() !== null,
    (run) => run.setKeys([run.unusedKid() ?? '', ...run.state.keys]),
  ),
);
const retireKey = fc.constant(
  new RunCommand<Run>(
    'retire the oldest key',
    ({ state }) => state.keys.length > 1,
    (run) => run.setKeys(run.state.keys.slice(0, -1)),
  ),
);

const concurrentPlans = fc.oneof(
  plans.refresh,
  plans.signIn,
  plans.signOut,
  plans.endOne,
  plans.endOthers,
  plans.changePassword,
  plans.setEnabled,
  plans.useToken,
  plans.deleteToken,
);
const plansWithPassword = fc.oneof(
  { weight: 2, arbitrary: plans.signIn },
  { weight: 1, arbitrary: plans.changePassword },
  { weight: 1, arbitrary: plans.deleteAccount },
);

export const anyCommands = fc.commands<ModelContext<Run>, null, false>(
  [
    ...weighted(4, perform(plans.signIn)),
    ...weighted(8, perform(plans.refresh)),
    ...weighted(1, perform(plans.signOut)),
    ...weighted(1, perform(plans.list)),
    ...weighted(1, perform(plans.endOne)),
    ...weighted(1, perform(plans.endOthers)),
    ...weighted(2, perform(plans.changePassword)),
    ...weighted(1, perform(plans.deleteAccount)),
    ...weighted(2, perform(plans.setEnabled)),
    ...weighted(2, perform(plans.enrolApp)),
    ...weighted(1, perform(plans.removeApp)),
    ...weighted(2, perform(plans.createToken)),
    ...weighted(3, perform(plans.useToken)),
    ...weighted(1, perform(plans.useTokenForSession)),
    ...weighted(2, perform(plans.deleteToken)),
    ...weighted(4, performBoth(plans.refresh)),
    ...weighted(2, performBoth(concurrentPlans)),
    ...weighted(2, hold(plansWithPassword)),
    ...weighted(2, resume),
    ...weighted(2, lostResponse),
    ...weighted(5, moveToBound),
    ...weighted(1, moveTime),
    ...weighted(1, introduceKey),
    ...weighted(1, retireKey),
  ],
  { maxCommands: runs({ short: 8, long: 12 }), size: 'max' },
);
