import { beforeAll, describe, expect, it } from '@jest/globals';
import { JobLock } from '../../../src/platform/database/lock/job-lock.js';
import { unique } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';

const INTERVAL_MS = 60_000;

describe('JobLock', () => {
  let server: TestApp;
  let other: TestApp;
  let own: JobLock;
  let others: JobLock;

  beforeAll(async () => {
    server = await startApp();
    other = await startApp({ uri: server.uri });
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
    const claimed = await own.claim(job, INTERVAL_MS);
    if (claimed) await own.release(claimed);
    expect(await own.claim(job, INTERVAL_MS)).toBeNull();
    expect(await others.claim(job, INTERVAL_MS)).toBeNull();
    await change(job, { dueAt: LONG_AGO });
    expect(await others.claim(job, INTERVAL_MS)).toMatchObject({ job });
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
