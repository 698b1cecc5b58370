import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import {
  startNode,
  temporaryFolder,
  untilReady,
  type RunningProcess,
} from '../../support/process.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { runs, RUNS_DEADLINE_MS } from '../../support/scale.js';
import { History } from './history.js';
import {
  blogPlayer,
  keyPlayer,
  namePlayer,
  Random,
  rolePlayer,
  sessionPlayer,
  type Player,
  type Subject,
} from './writers.js';
import { openStage, type Stage } from '../support/fixture.js';

const PROCESSES = 2;
const READERS = 8;
const BLOGS = 3;

/** A writer reads so often, at most, before it writes again. */
const MAX_READS_BETWEEN = 12;

/**
 * What readers ask for: a name, a role, a session and a key, which come first, and the last blogs and
 * sessions. Those of long ago have no news.
 */
const STEADY = 4;
const RECENT = 8;

/** An API key may be good for two seconds after it was disabled (contract, section 2). */
const promiseOf = (register: string): number => (register === 'key' ? 2_000 : 1_000);

describe('two processes on one database', () => {
  let mongod: OwnMongo;
  let stage: Stage;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let processes: RunningProcess[] = [];
  let urls: string[];

  beforeAll(async () => {
    mongod = await OwnMongo.create();
    stage = await openStage({ uri: mongod.uri('processes') });
    folder = await temporaryFolder();
    processes = Array.from({ length: PROCESSES }, () =>
      startNode(['dist/main.js'], {
        cwd: folder.path,
        env: {
          NODE_ENV: 'test',
          MONGODB_URI: stage.uri,
          JWT_PRIVATE_KEYS: stage.env.JWT_PRIVATE_KEYS ?? '',
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
    await stage.close();
    await mongod.remove();
    await folder.remove();
  }, 60_000);

  it(
    'should show nothing that is older than promised, whoever writes and reads',
    async () => {
      const seed = randomInt(2 ** 31);
      const random = new Random(seed);
      const history = new History();
      const game = { stage, history, urls, random, subjects: [] as Subject[] };
      const players: Player[] = [
        await namePlayer(game),
        await rolePlayer(game),
        await sessionPlayer(game),
        await keyPlayer(game),
      ];
      for (let n = 0; n < BLOGS; n++) players.push(await blogPlayer(game, `blog ${n}`));
      const end = performance.now() + runs({ short: 8_000, long: 1_800_000 });
      const isOver = (): boolean => performance.now() > end;
      const readOne = async (): Promise<void> => {
        const { subjects } = game;
        const subject = random.of([...subjects.slice(0, STEADY), ...subjects.slice(-RECENT)]);
        const process = random.below(PROCESSES);
        await history.read(subject.register, process, () => subject.read(String(urls[process])));
      };
      const write = async (player: Player): Promise<void> => {
        while (!isOver()) {
          await player();
          for (let left = random.below(MAX_READS_BETWEEN); left > 0; left--) await readOne();
        }
      };
      const read = async (): Promise<void> => {
        while (!isOver()) await readOne();
      };
      await Promise.all([...players.map(write), ...Array.from({ length: READERS }, read)]);

      const violations = history.violations(promiseOf);
      expect({ seed, violations: violations.slice(0, 5) }).toEqual({ seed, violations: [] });
      // Or it had judged next to nothing.
      expect(history.counts.reads).toBeGreaterThan(100);
      expect(history.counts.writes).toBeGreaterThan(20);
      const { reads, writes } = history.counts;
      process.stdout.write(`history: seed ${seed}, ${reads} reads, ${writes} writes\n`);
    },
    RUNS_DEADLINE_MS,
  );
});
