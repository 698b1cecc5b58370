import { API_KEY, PASSWORD } from '../data/people.ts';
import { openLoop } from '../load/open-loop.ts';
import { atLeast, atMost, type Finding } from '../support/findings.ts';
import type { Cpus } from '../support/machine/cpus.ts';
import { until } from '../support/timing.ts';
import type { Leavers } from './fill.ts';
import type { Newsroom } from './newsroom.ts';

/** The readers beside a job: this many requests a second, for this many seconds. */
const READERS = { rate: 100, seconds: 8 };
const ANSWER_MAX_MS = 200;
/** How many times as long the p99 of readers may be beside a job. */
const READERS_FACTOR = 2;
const JOB_MS = 600_000;

interface Job {
  readonly _id: string;
  readonly count: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
}

/**
 * Measures the handover of an author's live articles and the deletion of an account with drafts, with readers beside
 * them.
 */
export async function measureJobs(
  { call, server, editor, signIn }: Newsroom,
  { withArticles, withDrafts }: Leavers,
  cpus: Cpus,
): Promise<Finding[]> {
  const headers = { 'x-api-key': API_KEY };
  const latest = await call<{ _id: string }[]>('GET', '/blogs/latest?limit=100');
  const requests = latest.map(({ _id }) => ({ path: `/blog/id/${_id}`, headers }));
  const readers = () => openLoop({ server, requests, ...READERS }, cpus);
  await readers();
  // The first run has compiled the code of the server.
  const alone = await readers();

  /** @param start starts the job, and returns its id */
  const measure = async (group: string, perSecond: number, start: () => Promise<string>) => {
    const startedAt = performance.now();
    const id = await start();
    const answeredAfter = performance.now() - startedAt;
    const beside = await readers();
    const readJob = () => call<Job>('GET', `/admin/jobs/id/${id}`, { token: editor.token });
    let job = await readJob();
    const isLongEnough = job.finishedAt === undefined;
    const isFinished = async () => (job = await readJob()).finishedAt !== undefined;
    await until(`the job of a ${group}`, isFinished, { withinMs: JOB_MS });
    const { count, startedAt: begin, finishedAt: end = '' } = job;
    const seconds = (Date.parse(end) - Date.parse(begin)) / 1_000;
    const longest = READERS_FACTOR * alone.p99;
    return [
      atMost('answer', answeredAfter, ANSWER_MAX_MS, ' ms'),
      atLeast(`blogs a second, of ${count}`, count / seconds, perSecond),
      atMost(`p99 of readers, ${alone.p99.toFixed(1)} ms alone`, beside.p99, longest, ' ms'),
      {
        what: 'the job outlasted the readers',
        measured: String(isLongEnough),
        isMet: isLongEnough,
      },
    ].map((finding) => ({ ...finding, group }));
  };

  const handOver = async () => {
    const path = `/admin/users/id/${withArticles.id}/blogs/author`;
    const options = { token: editor.token, body: { user: editor.id } };
    return (await call<{ _id: string }>('PUT', path, options))._id;
  };
  const { token } = await signIn(withDrafts.email);
  const deleteAccount = async () => {
    const options = { token, body: { password: PASSWORD } };
    return (await call<{ job: string }>('DELETE', '/profile/mine', options)).job;
  };
  return [
    ...(await measure('handover', 1_000, handOver)),
    ...(await measure('account deletion', 500, deleteAccount)),
  ];
}
