import { AccountJobRunner } from '../../../src/blog/jobs/account-job.runner.js';
import type { TestApp } from '../../support/start-app.js';

/** Does all account jobs that are open, such as what is left of a deletion after its answer. */
export async function runAccountJobs({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.get(AccountJobRunner, { strict: false }).run(new AbortController().signal);
}
