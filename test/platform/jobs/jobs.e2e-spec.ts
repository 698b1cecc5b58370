import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
import { until } from '../../support/time/wait.js';

describe('BackgroundService', () => {
  let server: TestApp;
  let isClosed: boolean;

  beforeEach(async () => {
    server = await startApp({ background: true });
    isClosed = false;
  });

  afterEach(() => close());

  async function close(): Promise<void> {
    if (!isClosed) await server.close();
    isClosed = true;
  }

  /** Registers a job that is due all the time. */
  function register(run: BackgroundJob['run'], job: Partial<BackgroundJob> = {}): BackgroundJob {
    const made = {
      name: unique('job'),
      everyMs: 0,
      isDue: () => Promise.resolve(true),
      run,
      ...job,
    };
    server.app.get(BackgroundService).register(made);
    return made;
  }

  const logOf = ({ name }: BackgroundJob) => server.log.filter((line) => line.includes(name));

  it('should run a job again and again, and log what it has done', async () => {
    let runs = 0;
    const job = register(() => Promise.resolve((runs += 1) === 2 ? 'things done: 2' : null));
    await until('some runs', () => runs >= 3);
    expect(logOf(job)).toEqual([expect.stringContaining(`${job.name}: things done: 2`)]);
  });

  it('should run a job in time again although its first claim came late', async () => {
    const startedAt: number[] = [];
    let asked = 0;
    register(
      () => {
        startedAt.push(performance.now());
        return Promise.resolve(null);
      },
      { everyMs: 3_000, isDue: () => wait(asked++ === 0 ? 200 : 0, true) },
    );
    await until('two runs', () => startedAt.length === 2);
    // Not a whole interval later.
    expect(startedAt[1]! - startedAt[0]!).toBeLessThan(5_500);
    expect(startedAt[1]! - startedAt[0]!).toBeGreaterThanOrEqual(2_990);
  });

  it('should not run a job that has nothing to do', async () => {
    let asked = 0;
    let runs = 0;
    const isDue = () => Promise.resolve((asked += 1) < 0);
    register(() => Promise.resolve(String((runs += 1))), { isDue });
    await until('the question', () => asked >= 2);
    expect(runs).toBe(0);
  });

  it('should ask no job before the database is migrated', async () => {
    await close();
    server = await startApp({ env: { MIGRATE: 'off' }, background: true });
    isClosed = false;
    let asked = 0;
    register(() => Promise.resolve(null), { isDue: () => Promise.resolve((asked += 1) > 0) });
    const pending = jest.spyOn(server.app.get(MigrationService), 'pending');
    await until('some ticks', () => pending.mock.calls.length >= 20);
    expect(asked).toBe(0);
    const report = await server.app.get(MigrationService).run({ dryRun: false });
    expect(report.changed).not.toEqual([]);
    await until('the question', () => asked > 0);
  });

  it('should run a job once over two processes until it is due again', async () => {
    const other = await startApp({ uri: server.uri, background: true });
    let runs = 0;
    let asked = 0;
    const counted = {
      everyMs: 60_000,
      isDue: () => Promise.resolve((asked += 1) > 0),
    };
    const job = register(() => Promise.resolve(String((runs += 1))), counted);
    other.app.get(BackgroundService).register(job);
    await until('both to look', () => asked === 2);
    await until('the run', () => runs === 1);
    await server.app.get(BackgroundService).beforeApplicationShutdown();
    await other.app.get(BackgroundService).beforeApplicationShutdown();
    expect(runs).toBe(1);
    await other.close();
  });

  it('should say once that a job fails', async () => {
    const job = register(() => Promise.reject(new Error('out of paper')));
    await until('the warning', () => logOf(job).length > 0);
    const [line = '{}'] = logOf(job);
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      msg: expect.stringContaining('out of paper'),
    });
  });

  it('should run a job without a lock in every process, whoever holds one', async () => {
    const other = await startApp({ uri: server.uri, background: true });
    const runs = [0, 0];
    const name = unique('job');
    // As a process leaves it that was killed.
    await server.app.get(JobLock).claim(name, 60_000);
    for (const [index, { app }] of [server, other].entries()) {
      const job = {
        name,
        everyMs: 0,
        isExclusive: false,
        isDue: () => Promise.resolve(true),
        run: () => Promise.resolve(String((runs[index] = (runs[index] ?? 0) + 1))),
      };
      app.get(BackgroundService).register(job);
    }
    await until('runs of both', () => runs.every((count) => count >= 2), 10_000);
    await other.close();
  });

  it('should try a failed job again when it says, and log an outage once', async () => {
    let runs = 0;
    const fail = () => Promise.reject(new Error(`out of paper ${(runs += 1)}`));
    const job = register(fail, { retryMs: 0 });
    await until('some runs', () => runs >= 3);
    expect(logOf(job)).toEqual([expect.stringContaining('out of paper 1')]);
  });

  it('should tell a job that its lock is lost', async () => {
    let signal: AbortSignal | null = null;
    const job = register(
      (given) =>
        new Promise((resolve) => {
          signal = given;
          given.addEventListener('abort', () => resolve(null));
        }),
    );
    await until('the run', () => signal !== null);
    const jobs = server.db.collection<{ _id: string }>('background_jobs');
    await jobs.updateOne({ _id: job.name }, { $set: { run: 'of another process' } });
    await until('the loss', () => signal?.aborted === true, 20_000);
  });

  it('should wait at shutdown for what is running, and begin nothing more', async () => {
    let begun = 0;
    let ended = 0;
    const job = register(async (signal) => {
      begun += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      // The step that is under way is finished, and the database is still there for it.
      const background = server.app.get<Connection>(getConnectionToken(BACKGROUND));
      await background.collection('blogs').findOne({ _id: new Types.ObjectId() });
      ended += 1;
      return 'the last step';
    });
    await until('the run', () => begun === 1);
    await close();
    expect([begun, ended]).toEqual([1, 1]);
    expect(logOf(job)).toEqual([expect.stringContaining('the last step')]);
    expect(server.log.filter((line) => line.includes('failed'))).toEqual([]);
  });

  it('should not wait for ever for a job that hangs', async () => {
    let isRunning = false;
    register(() => {
      isRunning = true;
      return new Promise(() => undefined);
    });
    await until('the run', () => isRunning);
    const startedAt = performance.now();
    await close();
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThan(4_500);
    // Once, though both the drain and the close of the application wait for it.
    expect(took).toBeLessThan(9_000);
  });
});
