import type { Command } from 'commander';
import { AccountJobs } from '../../blog/jobs/account-jobs.service.js';
import { toJobView } from '../../blog/jobs/job.view.js';
import { addExamples } from '../command-line/examples.js';
import { columns, printResult } from '../command-line/output.js';
import { withApp } from '../command-line/with-app.js';

/** Adds `pressroom jobs`, for how far handovers and deletions of accounts are. */
export function addJobsCommand(program: Command): void {
  const jobs = program
    .command('jobs')
    .description('list the unfinished handovers and deletions of accounts, and how far they are')
    .action(async (_options: unknown, command: Command) => {
      const open = (await withApp((app) => app.get(AccountJobs).open())).map(toJobView);
      const lines = open.map(({ _id, kind, state, count }) => [_id, kind, state, `${count} blogs`]);
      printResult(command, open, open.length > 0 ? columns(lines) : ['no unfinished jobs']);
    });
  addExamples(jobs, 'jobs', 'jobs --json');
}
