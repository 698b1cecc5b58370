import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { JobLock } from '../../../../src/platform/database/lock/job-lock.js';
import { LockLostError } from '../../../../src/platform/database/lock/lock-lost.error.js';
import {
  MIGRATIONS_LOCK,
  MigrationService,
} from '../../../../src/platform/database/migrations/migration.service.js';
import { roleMigration } from '../../../../src/user/migration/role.migration.js';
import { startNode, temporaryFolder } from '../../../support/process.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { INTERVALS_ONLY } from '../../../support/time/clock.js';
import { until } from '../../../support/time/wait.js';

const PROCESS = `process ${process.pid} on `;

describe('two processes that migrate one database', () => {
  let server: TestApp;
  let migrations: MigrationService;

  beforeAll(async () => {
    server = await startApp({ env: { MIGRATE: 'off' } });
    migrations = server.app.get(MigrationService);
  });

  beforeEach(async () => {
    for (const name of ['migrations', 'roles', 'background_jobs'])
      await server.db.collection(name).deleteMany();
    Object.assign(migrations, { upToDateAt: null });
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const waitingLines = ({ log }: TestApp) => log.filter((line) => line.includes('waiting: '));
  const records = () => server.db.collection<{ _id: string }>('migrations').distinct('_id');

  /** Lets the lock expire, as it does after its holder was killed. */
  async function expireLock(): Promise<void> {
    const jobs = server.db.collection<{ _id: string }>('background_jobs');
    await jobs.updateOne({ _id: MIGRATIONS_LOCK }, { $set: { leasedUntil: new Date(0) } });
  }

  /** Pauses the first migration until `resume` is called. */
  function pause(): { readonly run: ReturnType<typeof jest.spyOn>; readonly resume: () => void } {
    const original = roleMigration.run.bind(roleMigration);
    let resume = () => {};
    const resumed = new Promise<void>((resolve) => (resume = resolve));
    const run = jest.spyOn(roleMigration, 'run').mockImplementation(async (...args) => {
      await resumed;
      return original(...args);
    });
    return { run, resume: () => resume() };
  }

  it('should release the lock when a migration fails', async () => {
    jest.spyOn(roleMigration, 'run').mockRejectedValueOnce(new Error('out of paper'));
    await expect(migrations.run({ dryRun: false })).rejects.toThrow('out of paper');
    await migrations.run({ dryRun: false });
    expect(waitingLines(server)).toEqual([]);
  });

  it('should run the migrations once when both start together, and make one wait for the other', async () => {
    const { run, resume } = pause();
    const other = await startApp({ uri: server.uri, env: { MIGRATE: 'off' } });
    const both = [server, other].map(async ({ app }) => app.get(MigrationService).runIfPending());
    const lines = () => [server, other].flatMap(waitingLines);
    await until('a waiting process', () => lines().length > 0);
    resume();
    await Promise.all(both);
    expect(run).toHaveBeenCalledTimes(1);
    expect(lines()).toEqual([expect.stringContaining(`waiting: ${PROCESS}`)]);
    expect(await migrations.pending()).toEqual([]);
    expect(await other.app.get(MigrationService).pending()).toEqual([]);
  });

  it('should not wait for the lock in a dry run', async () => {
    const { run, resume } = pause();
    const running = migrations.run({ dryRun: false });
    await until('the run', () => run.mock.calls.length > 0);
    run.mockRestore();
    await migrations.run({ dryRun: true });
    expect(await records()).toEqual([]);
    resume();
    await running;
  });

  it('should print for which process the command waits, and migrate once the lock has expired', async () => {
    await server.app.get(JobLock).claim(MIGRATIONS_LOCK, 0);
    const { output, ended } = startNode(['bin/pressroom.mjs', 'migrate'], {
      cwd: await temporaryFolder(),
      env: { MONGODB_URI: server.uri },
    });
    await until('the line', () => output.stderr.includes(`waiting: ${PROCESS}`));
    expect(await records()).toEqual([]);
    await expireLock();
    expect(await ended).toBe(0);
    expect(output.stdout).toContain('Migrated:');
    expect(await migrations.pending()).toEqual([]);
  });

  it('should end a run before its next write when another process has taken the lock', async () => {
    const original = roleMigration.run.bind(roleMigration);
    jest.spyOn(roleMigration, 'run').mockImplementation(async (db, options) => {
      await expireLock();
      expect(await server.app.get(JobLock).claim(MIGRATIONS_LOCK, 0)).not.toBeNull();
      jest.advanceTimersByTime(5_000);
      await until('the loss of the lock', () => {
        try {
          options.beforeWrite?.();
          return false;
        } catch {
          return true;
        }
      });
      return original(db, options);
    });
    // The lock is renewed every five seconds.
    jest.useFakeTimers(INTERVALS_ONLY);
    await expect(migrations.run({ dryRun: false })).rejects.toThrow(LockLostError);
    expect(await server.db.collection('roles').countDocuments()).toBe(0);
    expect(await records()).toEqual([]);
  });
});
