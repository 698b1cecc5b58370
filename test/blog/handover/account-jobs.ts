import { Types, type mongo } from 'mongoose';
import { AccountJobRunner } from '../../../src/blog/jobs/account-job.runner.js';
import type { Answer } from '../../support/client.js';
import type { Person } from '../../support/factories.js';
import type { TestApp } from '../../support/start-app.js';

export type User = Pick<Person, '_id'>;

/** Does all account jobs that are open, such as what is left of a deletion after its answer. */
export async function runAccountJobs({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.get(AccountJobRunner, { strict: false }).run(new AbortController().signal);
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
