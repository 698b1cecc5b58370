import { existsSync } from 'node:fs';
import { getPriority, platform } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import bcrypt from 'bcryptjs';
import { nicenessOfThreads } from '../../../test/platform/database/embedded/fixture/processes.js';
import { UnavailableError } from '../../platform/http/errors/api.errors.js';
import { validateEnv } from '../../platform/config/env.js';
import { PasswordHasher, passwordThreads } from './password-hasher.js';

/** A bcrypt cost below what the configuration allows, so that the tests are fast. */
const COST = 5;

/** How many threads have a higher niceness than the process; 0 where there is no /proc. */
function countNicerThreads(): number {
  if (!existsSync('/proc/self/task')) return 0;
  return nicenessOfThreads(process.pid).filter((niceness) => niceness > getPriority()).length;
}

describe('PasswordHasher', () => {
  let hasher: PasswordHasher;

  beforeEach(() => {
    hasher = new PasswordHasher({ ...validateEnv({}), BCRYPT_COST: COST });
  });

  afterEach(async () => {
    await hasher.onApplicationShutdown();
  });

  it('should match only the password that was hashed, and recognise common passwords', async () => {
    const hash = await hasher.hash('correct horse');
    expect(hash).toMatch(/^\$2b\$05\$/);
    expect(await hasher.matches('correct horse', hash)).toBe(true);
    expect(await hasher.matches('Correct horse', hash)).toBe(false);
    expect(await hasher.matches('correct horse', null)).toBe(false);
    expect(await hasher.isCommon('password')).toBe(true);
    expect(await hasher.isCommon('correct horse')).toBe(false);
  });

  it('should reject a password when 50 are queued, and recover', async () => {
    await hasher.hash('starts a thread');
    const attempts = Array.from({ length: 120 }, () => hasher.hash('one of many'));
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    // 50 wait in the queue, and each thread hashes one.
    expect(refused.length).toBeGreaterThan(0);
    expect(outcomes.length - refused.length).toBeGreaterThanOrEqual(51);
    for (const outcome of refused) {
      const reason = (outcome as PromiseRejectedResult).reason as UnavailableError;
      expect(reason).toBeInstanceOf(UnavailableError);
      expect(reason.getResponse()).toEqual({
        code: '10002',
        reason: 'overloaded',
        message: 'too many passwords are being checked: try again in a moment',
        headers: { 'retry-after': '1' },
      });
    }
    expect(await hasher.matches('x', await hasher.hash('x'))).toBe(true);
  });

  it('should run its threads at a higher niceness than the event loop', async () => {
    const ownNiceness = getPriority();
    const countBefore = countNicerThreads();
    await hasher.hash('starts a thread');
    const showsNiceness = platform() === 'linux' && ownNiceness < 5;
    expect(countNicerThreads() - countBefore).toBe(
      showsNiceness ? hasher['pool'].threads.length : 0,
    );
    expect(getPriority()).toBe(ownNiceness);
  });

  describe('when its threads die', () => {
    const LOST_RESPONSE = {
      code: '10002',
      reason: 'overloaded',
      message: 'the password could not be checked: try again in a moment',
      headers: { 'retry-after': '1' },
    };

    /** The value of each task, or the response of its error. */
    const outcomesOf = async (tasks: readonly Promise<unknown>[]): Promise<unknown[]> =>
      (await Promise.allSettled(tasks)).map((outcome) =>
        outcome.status === 'fulfilled'
          ? outcome.value
          : (outcome.reason as UnavailableError).getResponse(),
      );

    beforeEach(() => {
      // The dying threads log errors.
      Logger.overrideLogger(false);
    });

    afterEach(() => {
      Logger.overrideLogger(true);
    });

    it('should reject the passwords of those threads, and check the queued ones', async () => {
      const hash = await hasher.hash('right');
      const slowHash = await bcrypt.hash('right', 12);
      const { threads } = hasher['pool'];
      // One task for each thread, and others in the queue.
      const lost = threads.map(() => hasher.matches('right', slowHash));
      const others = Array.from({ length: 5 }, () => hasher.matches('right', hash));
      await Promise.all(threads.map((thread) => thread.terminate()));
      expect(await outcomesOf(lost)).toEqual(lost.map(() => LOST_RESPONSE));
      expect(await outcomesOf(others)).toEqual(others.map(() => true));
    });
  });

  it.each([
    [COST - 1, true],
    [COST, false],
    [COST + 1, false],
  ])('should find out whether a hash of cost %i is outdated: %s', async (cost, outdated) => {
    expect(hasher.isOutdated(await bcrypt.hash('x', cost))).toBe(outdated);
  });
});

describe('passwordThreads', () => {
  it('should leave one core to the event loop of each process, and be at least 1', () => {
    const threadsWith = (workers: number): number[] =>
      [1, 2, 4, 8, 16].map((cores) => passwordThreads(cores, workers));
    expect(threadsWith(1)).toEqual([1, 1, 3, 7, 15]);
    expect(threadsWith(2)).toEqual([1, 1, 1, 3, 7]);
    expect(threadsWith(7)).toEqual([1, 1, 1, 1, 1]);
  });
});
