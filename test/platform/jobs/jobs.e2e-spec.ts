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
let otherServer: TestApp;

beforeAll(async () => {
  server = await startApp({ background: true });
  otherServer = await startApp({ uri: server.uri, background: true });
});

describe('JobLock', () => {
  let lock: JobLock;
  let otherLock: JobLock;

  beforeAll(() => {
    lock = server.app.get(JobLock);
    otherLock = otherServer.app.get(JobLock);
  });

  const change = (job: string, $set: object) =>
    server.db.collection<{ _id: string }>('background_jobs').updateOne({ _id: job }, { $set });
  const LONG_AGO = new Date(0);

  it('should give a lock to one of many concurrent claims', async () => {
    for (let round = 0; round < 10; round++) {
      const job = unique('job');
      const attempts = Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? lock : otherLock).claim(job, 0),
      );
      const claims = (await Promise.all(attempts)).filter((claimed) => claimed !== null);
      expect(claims).toHaveLength(1);
    }
  });

  it('should give a lock to nobody else until it is released', async () => {
    const job = unique('job');
    const claimed = await lock.claim(job, 0);
    expect(await otherLock.claim(job, 0)).toBeNull();
    expect(await lock.claim(job, 0)).toBeNull();
    if (claimed) await lock.release(claimed);
    expect(await otherLock.claim(job, 0)).toMatchObject({ job });
  });

  it('should give a lock to nobody before its job is due again', async () => {
    const job = unique('job');
    const claimed = await lock.claim(job, 60_000);
    if (claimed) await lock.release(claimed);
    expect(await lock.claim(job, 60_000)).toBeNull();
    expect(await otherLock.claim(job, 60_000)).toBeNull();
    await change(job, { dueAt: LONG_AGO });
    expect(await otherLock.claim(job, 60_000)).toMatchObject({ job });
  });

  it('should give an expired lock to another process, and not renew it for the first one', async () => {
    const job = unique('job');
    const claimed = await lock.claim(job, 0);
    if (!claimed) throw new Error('the lock was not given');
    expect(await lock.renew(claimed)).toBe(true);
    expect(await otherLock.claim(job, 0)).toBeNull();
    await change(job, { leasedUntil: LONG_AGO });
    expect(await otherLock.claim(job, 0)).toMatchObject({ job });
    expect(await lock.renew(claimed)).toBe(false);
    // A release by the first process does not end the lock of the other process.
    await lock.release(claimed);
    expect(await lock.claim(job, 0)).toBeNull();
  });

  it('should write nothing for a refused claim', async () => {
    const job = unique('job');
    await lock.claim(job, 0);
    const jobs = server.db.collection<{ _id: string }>('background_jobs');
    const before = await jobs.findOne({ _id: job });
    await otherLock.claim(job, 0);
    expect(await jobs.findOne({ _id: job })).toEqual(before);
  });
});

describe('BackgroundService', () => {
  /** A server whose database is not migrated yet. */
  let unmigratedServer: TestApp;
  /** Aborted after each test, so that the jobs of the test are no longer due. */
  let testEnd = new AbortController();

  beforeAll(async () => {
    unmigratedServer = await startApp({ env: { MIGRATE: 'off' }, background: true });
  });

  afterEach(() => {
    testEnd.abort();
    testEnd = new AbortController();
  });

  const backgroundOf = ({ app }: TestApp): BackgroundService => app.get(BackgroundService);
  /** The log lines of a job. All servers of a process use Nest's global logger, which the newest server has set. */
  const logOf = ({ name }: BackgroundJob) =>
    [server, otherServer, unmigratedServer]
      .flatMap(({ log }) => log)
      .filter((line) => line.includes(name));

  /** Waits for a condition. Meanwhile `server` and these servers look for jobs all the time, not every second. */
  const tickUntil = (label: string, condition: () => boolean, ...servers: readonly TestApp[]) =>
    until(label, () => {
      for (const each of [server, ...servers]) backgroundOf(each)['tick']();
      return condition();
    });

  /** Registers a job that is due all the time until the test ends. */
  function register(
    run: BackgroundJob['run'],
    options: Partial<BackgroundJob> = {},
    to: TestApp = server,
  ): BackgroundJob {
    const { isDue = () => Promise.resolve(true), ...rest } = options;
    const { signal } = testEnd;
    const job = {
      name: unique('job'),
      everyMs: 0,
      isDue: async () => !signal.aborted && isDue(),
      run,
      ...rest,
    };
    backgroundOf(to).register(job);
    return job;
  }

  it('should run a job again and again, and log what it has done', async () => {
    let runs = 0;
    const job = register(() => Promise.resolve((runs += 1) === 2 ? 'things done: 2' : null));
    await tickUntil('some runs', () => runs >= 3);
    expect(logOf(job)).toEqual([expect.stringContaining(`${job.name}: things done: 2`)]);
  });

  it('should run a job again after its interval, although its first check took long', async () => {
    const startedAt: number[] = [];
    let checks = 0;
    const run = () => Promise.resolve(startedAt.push(performance.now()) ? null : '');
    register(run, { everyMs: 2_000, isDue: () => wait(checks++ === 0 ? 500 : 0, true) });
    await tickUntil('two runs', () => startedAt.length === 2);
    const [first = 0, second = 0] = startedAt;
    // If the process counted from the check, it would try at 2,000 ms, too early for the lock, and run at 4,000 ms.
    expect(second - first).toBeLessThan(3_300);
    expect(second - first).toBeGreaterThanOrEqual(1_990);
  });

  it('should not run a job that has nothing to do', async () => {
    let checks = 0;
    let runs = 0;
    const isDue = () => Promise.resolve((checks += 1) < 0);
    register(() => Promise.resolve(String((runs += 1))), { isDue });
    await tickUntil('two checks', () => checks >= 2);
    expect(runs).toBe(0);
  });

  it('should run a job once per interval in two servers together', async () => {
    let runs = 0;
    let checks = 0;
    const run = () => Promise.resolve(String((runs += 1)));
    const isDue = () => Promise.resolve((checks += 1) > 0);
    const { name } = register(run, { everyMs: 60_000, isDue });
    register(run, { name, everyMs: 60_000, isDue }, otherServer);
    await tickUntil('a check by both, and the run', () => checks === 2 && runs === 1, otherServer);
    const { counts } = backgroundOf(otherServer);
    expect((backgroundOf(server).counts.get(name)?.runs ?? 0) + (counts.get(name)?.runs ?? 0)).toBe(
      1,
    );
  });

  it('should run a job that needs no lock in every process, even if a lock of its name is held', async () => {
    const runs = [0, 0];
    const name = unique('job');
    // A killed process leaves such a lock.
    await server.app.get(JobLock).claim(name, 60_000);
    for (const [index, each] of [server, otherServer].entries()) {
      const run = () => Promise.resolve(String((runs[index] = (runs[index] ?? 0) + 1)));
      register(run, { name, isExclusive: false }, each);
    }
    await tickUntil(
      'two runs in both servers',
      () => runs.every((count) => count >= 2),
      otherServer,
    );
  });

  it('should run a failed job again after its retryMs, and log an outage once', async () => {
    let runs = 0;
    const fail = () => Promise.reject(new Error(`out of paper ${(runs += 1)}`));
    const job = register(fail, { retryMs: 0 });
    await tickUntil('some runs', () => runs >= 3);
    expect(logOf(job)).toHaveLength(1);
    expect(JSON.parse(logOf(job)[0] ?? '{}')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('out of paper 1'),
    });
  });

  it('should abort the signal of a job whose lock is lost', async () => {
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
    await tickUntil('the run', () => signal !== null);
    const jobs = server.db.collection<{ _id: string }>('background_jobs');
    await jobs.updateOne({ _id: job.name }, { $set: { run: 'of another process' } });
    jest.advanceTimersByTime(5_000);
    jest.useRealTimers();
    await until('the signal to be aborted', () => signal?.aborted === true);
  });

  it('should not check whether jobs are due before the database is migrated', async () => {
    let checks = 0;
    const isDue = () => Promise.resolve((checks += 1) > 0);
    register(() => Promise.resolve(null), { isDue }, unmigratedServer);
    const pending = jest.spyOn(unmigratedServer.app.get(MigrationService), 'pending');
    await tickUntil('some ticks', () => pending.mock.calls.length >= 20, unmigratedServer);
    expect(checks).toBe(0);
    const report = await unmigratedServer.app.get(MigrationService).run({ dryRun: false });
    expect(report.changed).not.toEqual([]);
    await tickUntil('a check', () => checks > 0, unmigratedServer);
  });

  it('should wait at shutdown for running jobs, and begin no further run', async () => {
    let begun = 0;
    let ended = 0;
    const run: BackgroundJob['run'] = async (signal) => {
      begun += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      // The job finishes its current step, and still has its connection to the database.
      const background = otherServer.app.get<Connection>(getConnectionToken(BACKGROUND));
      await background.collection('blogs').findOne({ _id: new Types.ObjectId() });
      ended += 1;
      return 'the last step';
    };
    const job = register(run, {}, otherServer);
    await tickUntil('the run', () => begun === 1, otherServer);
    await otherServer.close();
    expect([begun, ended]).toEqual([1, 1]);
    expect(logOf(job)).toEqual([expect.stringContaining('the last step')]);
  });

  it('should not wait forever for a job that hangs', async () => {
    let isRunning = false;
    register(() => {
      isRunning = true;
      return new Promise(() => undefined);
    });
    await tickUntil('the run', () => isRunning);
    const startedAt = performance.now();
    await server.close();
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThan(4_500);
    // The server waits once (5 s), although both the drain and the close of the application wait for jobs.
    expect(took).toBeLessThan(9_000);
  });
});
