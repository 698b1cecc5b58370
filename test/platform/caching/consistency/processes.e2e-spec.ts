import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import {
  startNode,
  temporaryFolder,
  untilReady,
  type RunningProcess,
} from '../../../support/process.js';
import { OwnMongo } from '../../../support/mongo/own-mongo.js';
import { runs, RUNS_DEADLINE_MS } from '../../../support/scale.js';
import { History } from './history.js';
import {
  blogWriter,
  Random,
  roleWriter,
  sessionWriter,
  type Writer,
  type ReadTarget,
} from './writers.js';
import { openFixture, type Fixture } from '../support/fixture.js';

const PROCESSES = 2;
const READERS = 8;
const BLOGS = 3;

/** A writer makes fewer reads than this between two writes. */
const READS_BOUND = 12;

/** A read picks the first target (the role) or one of this many newest ones: most older ones no longer change. */
const NEWEST_TARGETS = 6;

const MAX_STALENESS_MS = 1_000;

/** Covers roles, sessions and blogs; two-servers.e2e-spec.ts covers each cached value and each write to it. */
describe('two processes on one database', () => {
  let mongod: OwnMongo;
  let server: Fixture;
  let folder: string;
  let processes: RunningProcess[] = [];
  let urls: string[];

  beforeAll(async () => {
    mongod = await OwnMongo.create();
    server = await openFixture({ uri: mongod.uri('processes') });
    folder = await temporaryFolder();
    processes = Array.from({ length: PROCESSES }, () =>
      startNode(['dist/main.js'], {
        cwd: folder,
        env: {
          NODE_ENV: 'test',
          MONGODB_URI: server.uri,
          JWT_PRIVATE_KEYS: server.env.JWT_PRIVATE_KEYS ?? '',
          PORT: '0',
          HOST: '127.0.0.1',
          RATE_LIMITS: 'off',
          LOG_REQUESTS: 'none',
        },
      }),
    );
    urls = await Promise.all(processes.map(untilReady));
  }, 90_000);

  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(({ ended }) => ended));
  }, 60_000);

  it(
    'should show every write within a second, and at once on the process that acknowledged it',
    async () => {
      const seed = randomInt(2 ** 31);
      const random = new Random(seed);
      const history = new History();
      const run = { server, history, urls, random, targets: [] as ReadTarget[] };
      const writers: Writer[] = [await roleWriter(run), await sessionWriter(run)];
      for (let n = 0; n < BLOGS; n++) writers.push(await blogWriter(run, `blog ${n}`));
      const end = performance.now() + runs({ short: 5_000, long: 1_800_000 });
      const isOver = (): boolean => performance.now() > end;
      const readOne = async (): Promise<void> => {
        const { targets } = run;
        const target = random.pick([...targets.slice(0, 1), ...targets.slice(-NEWEST_TARGETS)]);
        const process = random.below(PROCESSES);
        await history.read(target.register, process, () => target.read(String(urls[process])));
      };
      const write = async (writer: Writer): Promise<void> => {
        while (!isOver()) {
          await writer();
          for (let left = random.below(READS_BOUND); left > 0; left--) await readOne();
        }
      };
      const read = async (): Promise<void> => {
        while (!isOver()) await readOne();
      };
      await Promise.all([...writers.map(write), ...Array.from({ length: READERS }, read)]);

      const violations = history.violations(MAX_STALENESS_MS);
      expect({ seed, violations: violations.slice(0, 5) }).toEqual({ seed, violations: [] });
      // Shows that the run has checked something.
      expect(history.counts.reads).toBeGreaterThan(100);
      expect(history.counts.writes).toBeGreaterThan(20);
      const { reads, writes } = history.counts;
      process.stdout.write(`history: seed ${seed}, ${reads} reads, ${writes} writes\n`);
    },
    RUNS_DEADLINE_MS,
  );
});
