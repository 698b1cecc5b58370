import { expect } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { AccountJobRunner } from '../../../src/blog/jobs/account-job-runner.service.js';
import type { Answer } from '../../support/client.js';
import type { Person } from '../../support/factories.js';
import { runNode, temporaryFolder } from '../../support/process.js';
import type { TestApp } from '../../support/start-app.js';

export type User = Pick<Person, '_id'>;

/** Does all account jobs that are open, such as what is left of a deletion after its answer. */
export async function runAccountJobs({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.get(AccountJobRunner, { strict: false }).run(new AbortController().signal);
}

/**
 * Does the open account jobs in a process of its own, which kills itself after a step, or after the step on half of a
 * batch.
 *
 * @param file the file below `build/blog` that exports the class of the step
 */
export async function killAccountJob(
  { uri }: Pick<TestApp, 'uri'>,
  when: string,
  file: string,
  [name, step]: readonly [string, string],
): Promise<void> {
  const job = ['jobs/account-job-runner.service.js', 'AccountJobRunner', step, when, file, name];
  const { code, stderr } = await runNode(['test/blog/history/killed-job.mjs', ...job], {
    cwd: await temporaryFolder(),
    env: { NODE_ENV: 'test', MONGODB_URI: uri },
  });
  expect([code, stderr]).toEqual(['SIGKILL', '']);
}

/** Asks for the handover of all blogs of a user. */
export function handOverAllBy(
  { client }: Person,
  { _id: from }: User,
  { _id: user }: User,
): Promise<Answer<unknown>> {
  return client.put(`/admin/users/id/${from}/blogs/author`, { user });
}

/** The stored blogs of a user. */
export function storedBlogsOf(
  { db }: Pick<TestApp, 'db'>,
  { _id }: User,
): Promise<mongo.WithId<mongo.Document>[]> {
  return db
    .collection('blogs')
    .find({ author: new Types.ObjectId(_id) })
    .toArray();
}
