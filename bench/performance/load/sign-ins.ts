import { setTimeout as wait } from 'node:timers/promises';
import {
  measureClient,
  type LoadReport,
  type MeasuredLoad,
  type Run,
} from '../../load/client-process.ts';
import { Connections, signInRequest } from '../../load/connections.ts';
import type { Measure } from '../../load/measure.ts';
import type { CheckedRequest } from '../../load/open-loop.ts';
import { addProblem, repeatUntil, type Problems } from '../../load/problems.ts';
import type { Cpus } from '../../support/cpus.ts';
import { cycled } from '../../support/statistics.ts';
import type { Account } from '../data/people.ts';

/** What Pressroom says in `Retry-After` when too many passwords wait. */
const RETRY_AFTER_MS = 1_000;
/** Of each connection. */
const WARM_UP_READS = 10;

export interface SignInJob {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly accounts: readonly Account[];
  /** What the clients read to be warm. */
  readonly read: CheckedRequest;
  /** How many clients there are. */
  readonly inFlight: number;
  readonly seconds: number;
  /** Whether a client that was answered 503 waits as long as it was told. */
  readonly waitsWhenRefused: boolean;
}

interface SignInAnswer {
  readonly code: string;
  readonly data?: { readonly user: { email: string }; readonly tokens: { accessToken: string } };
}

interface Report extends LoadReport {
  readonly refused: number;
}

/**
 * So many clients that sign in with right passwords, each again and again, for some seconds.
 *
 * What is checked: that each answer is a pair of tokens for that account, or a 503 with its code.
 *
 * @returns a measure of those that were let in, and how many were `refused`
 * @throws Error for any other answer
 */
export async function signInRepeatedly(
  load: MeasuredLoad<SignInJob>,
  cpus: Cpus,
): Promise<Measure & { refused: number }> {
  const program = { module: import.meta.url };
  const { measure, report } = await measureClient<SignInJob, Report>(program, load, cpus);
  return { ...measure, refused: report.refused };
}

export async function client(job: SignInJob): Promise<Run<Report>> {
  const connections = new Connections(job.url, job.inFlight);
  // Over each connection, so that what counts does not begin with what a client compiles.
  for (let turn = 0; turn < WARM_UP_READS; turn += 1) {
    await Promise.all(Array.from({ length: job.inFlight }, () => connections.send(job.read)));
  }
  return async () => {
    const problems: Problems = { count: 0, sample: '' };
    const latencies: number[] = [];
    const deadline = performance.now() + job.seconds * 1_000;
    let refused = 0;
    let next = 0;
    await repeatUntil(deadline, { clients: job.inFlight, problems }, async () => {
      const account = cycled(job.accounts, next);
      next += 1;
      const sentAt = performance.now();
      const answer = await connections.send(signInRequest(account, job.headers));
      const endedAt = performance.now();
      const { code, data } = JSON.parse(answer.body) as SignInAnswer;
      if (answer.status === 200 && data?.user.email === account.email && data.tokens.accessToken) {
        // What ends later would count for a time that is not measured.
        if (endedAt <= deadline) latencies.push(endedAt - sentAt);
        return;
      }
      const isBusy = answer.status === 503 && code === '10002';
      if (!isBusy) addProblem(problems, `${account.email}: ${answer.status} ${answer.body}`);
      refused += 1;
      if (job.waitsWhenRefused) await wait(RETRY_AFTER_MS);
    });
    return { latencies, seconds: job.seconds, refused, problems };
  };
}
