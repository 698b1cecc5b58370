import { messageOf } from '../../../scripts/support/user-error.ts';
import {
  measureClient,
  type LoadReport,
  type MeasuredLoad,
  type Run,
} from '../../load/client-process.ts';
import { Connections } from '../../load/connections.ts';
import type { Measure } from '../../load/measure.ts';
import { addProblem, type Problems } from '../../load/problems.ts';
import type { Cpus } from '../../support/machine/cpus.ts';
import { cycled } from '../../support/statistics.ts';
import type { Text } from './texts.ts';

interface Job {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly texts: readonly Text[];
  readonly seconds: number;
  /** Number of writers. Each has a connection and articles of its own. */
  readonly connections: number;
  /** Prefix of the slugs. */
  readonly prefix: string;
}

/**
 * Runs writers in a process of its own. Each writer has its own articles, and sends the next request as soon as the
 * last one is answered.
 *
 * The status of each answer is checked, and the slug, the state and the texts in its body.
 * @throws Error for any wrong answer
 */
export async function writeRepeatedly(load: MeasuredLoad<Job>, cpus: Cpus): Promise<Measure> {
  const program = { module: import.meta.url };
  return (await measureClient<Job, LoadReport>(program, load, cpus)).measure;
}

/** Called by load/child.ts, which imports this module by its URL. @public */
export function client(job: Job): Run<LoadReport> {
  const connections = new Connections(job.url, job.connections);
  // The count of articles goes on over all runs, because the slugs of earlier runs are taken.
  let articles = 0;
  return async () => {
    const problems: Problems = { count: 0, sample: '' };
    const latencies: number[] = [];
    const startedAt = performance.now();
    const send: Send = async (method, path, expected, fields) => {
      const sentAt = performance.now();
      const answer = await connections.send({
        method,
        path,
        headers: job.headers,
        ...(fields && { body: JSON.stringify(fields) }),
      });
      latencies.push(performance.now() - sentAt);
      return checked(answer, `${method} ${path}`, expected);
    };
    const deadline = startedAt + job.seconds * 1_000;
    const writer = async () => {
      while (performance.now() < deadline && problems.count === 0) {
        articles += 1;
        const published = publishOne(send, job.texts, `${job.prefix}-${articles}`, articles);
        await published.catch((error: unknown) => addProblem(problems, messageOf(error)));
      }
    };
    await Promise.all(Array.from({ length: job.connections }, writer));
    // The time includes the last answer.
    const seconds = (performance.now() - startedAt) / 1_000;
    return { latencies, seconds, problems };
  };
}

/** Sends a request. @returns the id of the article @throws Error for an answer that is not as expected */
type Send = (method: string, path: string, expected: object, fields?: object) => Promise<string>;

async function publishOne(
  send: Send,
  texts: readonly Text[],
  slug: string,
  number: number,
): Promise<void> {
  const [first, second] = [cycled(texts, number), cycled(texts, number + 1)];
  const article = {
    title: `Written under load, number ${number}`,
    description: 'What it costs to write, to edit, to submit and to publish an article.',
    tags: ['bench', `batch ${number % 50}`],
  };
  const draft = { slug, drafted: true, submitted: false, published: false };
  const created = { ...draft, draftText: first.cleaned };
  const fields = { ...article, slug, draftText: first.html };
  const id = await send('POST', '/blog/author', created, fields);
  const { title, description } = article;
  const edit = { title: `${title}, edited`, description, draftText: second.html };
  const edited = { ...draft, draftText: second.cleaned };
  await send('PUT', `/blog/author/id/${id}`, edited, edit);
  const submitted = { ...edited, drafted: false, submitted: true };
  await send('PUT', `/blog/author/submit/${id}`, submitted);
  const live = { ...edited, drafted: false, published: true, text: second.cleaned };
  await send('PUT', `/blog/editor/publish/id/${id}`, live);
}

function checked(answer: { status: number; body: string }, what: string, expected: object): string {
  const isSuccess = answer.status === 200;
  const { data } = (isSuccess ? JSON.parse(answer.body) : { data: {} }) as {
    data: Record<string, unknown> & { _id: string };
  };
  const wrong = Object.entries(expected).filter(([field, value]) => data[field] !== value);
  if (isSuccess && wrong.length === 0) return data._id;
  const names = wrong.map(([field]) => field).join(', ');
  throw new Error(`${what}: ${answer.status} ${answer.body.slice(0, 300)} (wrong: ${names})`);
}
