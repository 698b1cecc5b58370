import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { getConnectionToken } from '@nestjs/mongoose';
import { Types, type Connection } from 'mongoose';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../src/platform/jobs/background.service.js';
import { JobLock } from '../../../src/platform/database/lock/job-lock.js';
import { BACKGROUND } from '../../../src/platform/database/client-options.js';
import { MigrationService } from '../../../src/platform/database/migrations/migration.service.js';
import { unique } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { INTERVALS_ONLY } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';

let server: TestApp;
let other: TestApp;

beforeAll(async () => {
  server = await startApp({ background: true });
  other = await startApp({ uri: server.uri, background: true });
});

describe('JobLock', () => {
  let own: JobLock;
  let others: JobLock;

  beforeAll(() => {
    own = server.app.get(JobLock);
    others = other.app.get(JobLock);
  });

  const change = (job: string, $set: object) =>
    server.db.collection<{ _id: string }>('background_jobs').updateOne({ _id: job }, { $set });
  const LONG_AGO = new Date(0);

  it('should give a job to one of many who ask at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const job = unique('job');
      const asked = Array.from({ length: 20 }, (_, n) => (n % 2 ? own : others).claim(job, 0));
      const claims = (await Promise.all(asked)).filter((claimed) => claimed !== null);
      expect(claims).toHaveLength(1);
    }
  });

  it('should give it to nobody else until it is released', async () => {
    const job = unique('job');
    const claimed = await own.claim(job, 0);
    expect(await others.claim(job, 0)).toBeNull();
    expect(await own.claim(job, 0)).toBeNull();
    if (claimed) await own.release(claimed);
    expect(await others.claim(job, 0)).toMatchObject({ job });
  });

  it('should give it to nobody before it is due again', async () => {
    const job = unique('job');
    const claimed = await own.claim(job, 60_000);
    if (claimed) await own.release(claimed);
    expect(await own.claim(job, 60_000)).toBeNull();
    expect(await others.claim(job, 60_000)).toBeNull();
    await change(job, { dueAt: LONG_AGO });
    expect(await others.claim(job, 60_000)).toMatchObject({ job });
  });

  it('should give it to another process when the lock has ended, and tell the first one', async () => {
    const job = unique('job');
    const claimed = await own.claim(job, 0);
    if (!claimed) throw new Error('it is free');
    expect(await own.renew(claimed)).toBe(true);
    expect(await others.claim(job, 0)).toBeNull();
    await change(job, { leasedUntil: LONG_AGO });
    expect(await others.claim(job, 0)).toMatchObject({ job });
    expect(await own.renew(claimed)).toBe(false);
    // What the first one gives back is not the other's.
    await own.release(claimed);
    expect(await own.claim(job, 0)).toBeNull();
  });

  it('should write nothing for those who do not get it', async () => {
    const job = unique('job');
    await own.claim(job, 0);
    const jobs = server.db.collection<{ _id: string }>('background_jobs');
    const before = await jobs.findOne({ _id: job });
    await others.claim(job, 0);
    expect(await jobs.findOne({ _id: job })).toEqual(before);
  });
});

describe('BackgroundService', () => {
  /** Not migrated yet. */
  let late: TestApp;
  /** Ends when the test does, so that its jobs are not due any more. */
  let test = new AbortController();

  beforeAll(async () => {
    late = await startApp({ env: { MIGRATE: 'off' }, background: true });
  });

  afterEach(() => {
    test.abort();
    test = new AbortController();
  });

  const backgroundOf = ({ app }: TestApp): BackgroundService => app.get(BackgroundService);
  /** The lines of a job. All servers of a process share Nest's logger, that of the newest. */
  const logOf = ({ name }: BackgroundJob) =>
    [server, other, late].flatMap(({ log }) => log).filter((line) => line.includes(name));

  /** Waits for a condition, and has these servers look for jobs all the time instead of every second. */
  const soon = (description: string, condition: () => boolean, ...servers: readonly TestApp[]) =>
    until(description, () => {
      for (const each of [server, ...servers]) backgroundOf(each)['tick']();
      return condition();
    });

  /** Registers a job that is due all the time until the test ends. */
  function register(
    run: BackgroundJob['run'],
    job: Partial<BackgroundJob> = {},
    to: TestApp = server,
  ): BackgroundJob {
    const { isDue = () => Promise.resolve(true), ...rest } = job;
    const { signal } = test;
    const made = {
      name: unique('job'),
      everyMs: 0,
      isDue: async () => !signal.aborted && isDue(),
      run,
      ...rest,
    };
    backgroundOf(to).register(made);
    return made;
  }

  it('should run a job again and again, and log what it has done', async () => {
    let runs = 0;
    const job = register(() => Promise.resolve((runs += 1) === 2 ? 'things done: 2' : null));
    await soon('some runs', () => runs >= 3);
    expect(logOf(job)).toEqual([expect.stringContaining(`${job.name}: things done: 2`)]);
  });

  it('should run a job in time again although its first claim came late', async () => {
    const startedAt: number[] = [];
    let asked = 0;
    const run = () => Promise.resolve(startedAt.push(performance.now()) ? null : '');
    register(run, { everyMs: 2_000, isDue: () => wait(asked++ === 0 ? 500 : 0, true) });
    await soon('two runs', () => startedAt.length === 2);
    const [first = 0, second = 0] = startedAt;
    // Not a whole interval later, which would be 3,500 ms.
    expect(second - first).toBeLessThan(3_300);
    expect(second - first).toBeGreaterThanOrEqual(1_990);
  });

  it('should not run a job that has nothing to do', async () => {
    let asked = 0;
    let runs = 0;
    const isDue = () => Promise.resolve((asked += 1) < 0);
    register(() => Promise.resolve(String((runs += 1))), { isDue });
    await soon('the question', () => asked >= 2);
    expect(runs).toBe(0);
  });

  it('should run a job once over two processes until it is due again', async () => {
    let runs = 0;
    let asked = 0;
    const run = () => Promise.resolve(String((runs += 1)));
    const isDue = () => Promise.resolve((asked += 1) > 0);
    const { name } = register(run, { everyMs: 60_000, isDue });
    register(run, { name, everyMs: 60_000, isDue }, other);
    await soon('both to look, and the run', () => asked === 2 && runs === 1, other);
    const { counts } = backgroundOf(other);
    expect((backgroundOf(server).counts.get(name)?.runs ?? 0) + (counts.get(name)?.runs ?? 0)).toBe(
      1,
    );
  });

  it('should run a job without a lock in every process, whoever holds one', async () => {
    const runs = [0, 0];
    const name = unique('job');
    // As a process leaves it that was killed.
    await server.app.get(JobLock).claim(name, 60_000);
    for (const [index, each] of [server, other].entries()) {
      const run = () => Promise.resolve(String((runs[index] = (runs[index] ?? 0) + 1)));
      register(run, { name, isExclusive: false }, each);
    }
    await soon('runs of both', () => runs.every((count) => count >= 2), other);
  });

  it('should try a failed job again when it says, and log an outage once', async () => {
    let runs = 0;
    const fail = () => Promise.reject(new Error(`out of paper ${(runs += 1)}`));
    const job = register(fail, { retryMs: 0 });
    await soon('some runs', () => runs >= 3);
    expect(logOf(job)).toHaveLength(1);
    expect(JSON.parse(logOf(job)[0] ?? '{}')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('out of paper 1'),
    });
  });

  it('should tell a job that its lock is lost', async () => {
    // The lock is renewed every five seconds.
    jest.useFakeTimers(INTERVALS_ONLY);
    let signal: AbortSignal | null = null;
    const job = register(
      (given) =>
        new Promise((resolve) => {
          signal = given;
          given.addEventListener('abort', () => resolve(null));
        }),
    );
    await soon('the run', () => signal !== null);
    const jobs = server.db.collection<{ _id: string }>('background_jobs');
    await jobs.updateOne({ _id: job.name }, { $set: { run: 'of another process' } });
    jest.advanceTimersByTime(5_000);
    jest.useRealTimers();
    await until('the loss', () => signal?.aborted === true);
  });

  it('should ask no job before the database is migrated', async () => {
    let asked = 0;
    const isDue = () => Promise.resolve((asked += 1) > 0);
    register(() => Promise.resolve(null), { isDue }, late);
    const pending = jest.spyOn(late.app.get(MigrationService), 'pending');
    await soon('some ticks', () => pending.mock.calls.length >= 20, late);
    expect(asked).toBe(0);
    const report = await late.app.get(MigrationService).run({ dryRun: false });
    expect(report.changed).not.toEqual([]);
    await soon('the question', () => asked > 0, late);
  });

  it('should wait at shutdown for what is running, and begin nothing more', async () => {
    let begun = 0;
    let ended = 0;
    const run: BackgroundJob['run'] = async (signal) => {
      begun += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      // The step that is under way is finished, and the database is still there for it.
      const background = other.app.get<Connection>(getConnectionToken(BACKGROUND));
      await background.collection('blogs').findOne({ _id: new Types.ObjectId() });
      ended += 1;
      return 'the last step';
    };
    const job = register(run, {}, other);
    await soon('the run', () => begun === 1, other);
    await other.close();
    expect([begun, ended]).toEqual([1, 1]);
    expect(logOf(job)).toEqual([expect.stringContaining('the last step')]);
  });

  it('should not wait for ever for a job that hangs', async () => {
    let isRunning = false;
    register(() => {
      isRunning = true;
      return new Promise(() => undefined);
    });
    await soon('the run', () => isRunning);
    const startedAt = performance.now();
    await server.close();
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThan(4_500);
    // Once, though both the drain and the close of the application wait for it.
    expect(took).toBeLessThan(9_000);
  });
});
