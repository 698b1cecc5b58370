import { setTimeout as wait } from 'node:timers/promises';
import {
  measureClient,
  type LoadReport,
  type MeasuredLoad,
  type Run,
} from '../../load/client-process.ts';
import { Connections } from '../../load/connections.ts';
import type { Measure } from '../../load/measure.ts';
import { repeatUntil, type Problems } from '../../load/problems.ts';
import type { Cpus } from '../../support/machine/cpus.ts';
import { cycled } from '../../support/statistics.ts';
import type { Text } from './texts.ts';

/** What is done with an article, one after the other. */
export const STEPS = ['create', 'edit', 'submit', 'publish'] as const;
export type Step = (typeof STEPS)[number];

/** How often a large article is edited before the next one is created. */
const EDITS = 3;

interface Job {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly texts: readonly Text[];
  readonly seconds: number;
  /** Writers, each with articles of its own. */
  readonly connections: number;
  /** Writes a second; as many as are answered if left out. Latencies count from when a write is due. */
  readonly rate?: number;
  /**
   * Of the slugs of articles that are created, edited, submitted and published; without it, articles are
   * large, and created and edited only.
   */
  readonly prefix?: string;
}

/**
 * Writers, each with articles of its own, from a process of their own, one request of each at a time: as
 * fast as they are answered, or at a rate.
 *
 * What is checked: the status of each answer, and in its body the slug, the state and the texts.
 *
 * @throws Error for any wrong answer
 */
export async function writeRepeatedly(load: MeasuredLoad<Job>, cpus: Cpus): Promise<Measure> {
  const program = { module: import.meta.url };
  return (await measureClient<Job, LoadReport>(program, load, cpus)).measure;
}

export function client(job: Job): Run<LoadReport> {
  const connections = new Connections(job.url, job.connections);
  // Over all runs, because a slug of an earlier run would be taken.
  let articles = 0;
  return async () => {
    const problems: Problems = { count: 0, sample: '' };
    const latencies: number[] = [];
    const latenciesByStep: Record<Step, number[]> = {
      create: [],
      edit: [],
      submit: [],
      publish: [],
    };
    const startedAt = performance.now();
    const { prefix, rate } = job;
    let sent = 0;
    const send: Send = async (step, method, path, expected, fields) => {
      const body = fields && JSON.stringify(fields);
      const due = rate === undefined ? performance.now() : startedAt + (sent / rate) * 1_000;
      sent += 1;
      // Never early; the lateness of the timer counts.
      while (performance.now() < due) await wait(1);
      const answer = await connections.send({
        ...{ method, path, headers: job.headers },
        ...(body !== undefined && { body }),
      });
      const latency = performance.now() - due;
      latencies.push(latency);
      latenciesByStep[step].push(latency);
      return checked(answer, `${method} ${path}`, expected);
    };
    await repeatUntil(
      startedAt + job.seconds * 1_000,
      { clients: job.connections, problems },
      () => {
        articles += 1;
        return prefix === undefined
          ? writeLargeOne(send, job.texts, articles)
          : publishOne(send, job.texts, `${prefix}-${articles}`, articles);
      },
    );
    // To the last answer.
    const seconds = (performance.now() - startedAt) / 1_000;
    return { latencies, latenciesByStep, seconds, problems };
  };
}

/** Sends a request. @returns the id of the article; @throws Error for an answer that is not as expected */
type Send = (
  step: Step,
  method: string,
  path: string,
  expected: object,
  fields?: object,
) => Promise<string>;

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
  const id = await send('create', 'POST', '/blog/author', created, fields);
  const { title, description } = article;
  const edit = { title: `${title}, edited`, description, draftText: second.html };
  const edited = { ...draft, draftText: second.cleaned };
  await send('edit', 'PUT', `/blog/author/id/${id}`, edited, edit);
  const submitted = { ...edited, drafted: false, submitted: true };
  await send('submit', 'PUT', `/blog/author/submit/${id}`, submitted);
  const live = { ...edited, drafted: false, published: true, text: second.cleaned };
  await send('publish', 'PUT', `/blog/editor/publish/id/${id}`, live);
}

async function writeLargeOne(send: Send, texts: readonly Text[], number: number): Promise<void> {
  const contentOf = (edit: number) => {
    const { html, cleaned } = cycled(texts, number * (EDITS + 1) + edit);
    const mark = `\n<p>Written as number ${number}, edit ${edit}.</p>`;
    return { sent: { draftText: `${html}${mark}` }, expected: { draftText: `${cleaned}${mark}` } };
  };
  const article = { title: 'A large article', description: 'Some 100 KB of HTML.' };
  const first = contentOf(0);
  const id = await send('create', 'POST', '/blog/author', first.expected, {
    ...article,
    ...first.sent,
  });
  for (let edit = 1; edit <= EDITS; edit += 1) {
    const { sent, expected } = contentOf(edit);
    await send('edit', 'PUT', `/blog/author/id/${id}`, expected, sent);
  }
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
