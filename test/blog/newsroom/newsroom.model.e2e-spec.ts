import { beforeAll, describe, expect, it } from '@jest/globals';
import { person, type Person } from '../../support/factories.js';
import { checkRuns } from '../../support/model/check-runs.js';
import { runs, RUNS_DEADLINE_MS } from '../../support/scale.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { anyCommands, anyStart, OPERATIONS, STARTS } from './model/commands.js';
import { made, Run, type People } from './model/run.js';

const REVISIONS_KEPT = 3;

/**
 * Model-based test of the newsroom: transitions, corrections, revisions, schedule and trash, by three
 * users. The folder `model` defines what each request does; all answers, and what everyone can read
 * afterwards, must agree with it. A failure shows the shrunk commands.
 */
describe.each([
  ['off', runs({ short: 120, long: 30_000 })],
  ['on', runs({ short: 80, long: 20_000 })],
] as const)('the newsroom with FOUR_EYES=%s', (fourEyes, count) => {
  let server: TestApp;
  let people: People;

  beforeAll(async () => {
    server = await startApp({
      env: {
        FOUR_EYES: fourEyes,
        REVISIONS_KEEP: String(REVISIONS_KEPT),
        // For `npm run test:long`, which takes less than 12 hours and must not log millions of requests.
        ACCESS_TOKEN_TTL: '12h',
        LOG_REQUESTS: 'none',
      },
    });
    people = await newPeople(server);
  });

  it(
    'should agree with the model for any order of commands',
    () => {
      const settings = { fourEyes: fourEyes === 'on', revisionsKept: REVISIONS_KEPT };
      return checkRuns({
        count,
        start: anyStart,
        commands: anyCommands,
        begin: async (state) => {
          const run = new Run(server, people, settings);
          await run.start(STARTS[state]);
          return run;
        },
        end: (run) => run.end(),
      });
    },
    RUNS_DEADLINE_MS,
  );
});

// The rules of an operation that never succeeds would remain untested.
it('should have made every operation of the model', () => {
  const rarest = [...made].sort(([, one], [, other]) => one - other).slice(0, 3);
  process.stdout.write(`model: rarest of the operations that succeeded: ${rarest.join(' ')}\n`);
  expect([...made.keys()].sort()).toEqual(Object.keys(OPERATIONS).sort());
});

async function newPeople(server: TestApp): Promise<People> {
  const ann = await person(server, 'AUTHOR');
  const ben = await person(server, 'AUTHOR', 'EDITOR');
  const cleo = await person(server, 'EDITOR');
  const admin = await person(server, 'ADMIN');
  const userOf = ({ _id, name }: Person) => ({ _id, name });
  return {
    clients: { ann: ann.client, ben: ben.client, cleo: cleo.client, admin: admin.client },
    people: { ann: userOf(ann), ben: userOf(ben), cleo: userOf(cleo) },
  };
}
