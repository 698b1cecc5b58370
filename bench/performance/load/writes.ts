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
  /** Number of writers, each with a connection of its own. */
  readonly connections: number;
  /** Prefix of the slugs. */
  readonly prefix: string;
  /** A tag of all articles. */
  readonly tag: string;
}

/** Answers a second of each kind of request. */
type Rates = Record<(typeof KINDS)[number], number>;

interface WriteReport extends LoadReport {
  readonly rates: Rates;
}

/** The kinds of requests, each of which is sent for a quarter of the time, to the articles of the kind before it. */
export const KINDS = ['create', 'edit', 'submit', 'publish'] as const;

/**
 * Runs writers in a process of its own. Each writer sends the next request as soon as the last one is answered.
 *
 * The status of each answer is checked, and the slug, the state and the texts in its body.
 * @throws Error for any wrong answer
 */
export async function writeRepeatedly(
  load: MeasuredLoad<Job>,
  cpus: Cpus,
): Promise<Measure & Rates> {
  const program = { module: import.meta.url };
  const { measure, report } = await measureClient<Job, WriteReport>(program, load, cpus);
  return { ...measure, ...report.rates };
}

/** Called by load/child.ts, which imports this module by its URL. @public */
export function client(job: Job): Run<WriteReport> {
  const connections = new Connections(job.url, job.connections);
  return async () => {
    const problems: Problems = { count: 0, sample: '' };
    const latencies: number[] = [];
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
    let seconds = 0;
    const rates = { create: 0, edit: 0, submit: 0, publish: 0 };
    let articles: readonly Article[] | null = null;
    for (const kind of KINDS) {
      const startedAt = performance.now();
      const deadline = startedAt + (job.seconds * 1_000) / KINDS.length;
      const written: Article[] = [];
      const toWrite: Iterator<Article, void> = articles?.values() ?? newArticles(job);
      const writer = async () => {
        while (performance.now() < deadline && problems.count === 0) {
          const next = toWrite.next();
          if (next.done) return;
          await write(send, kind, next.value)
            .then((article) => written.push(article))
            .catch((error: unknown) => addProblem(problems, messageOf(error)));
        }
      };
      await Promise.all(Array.from({ length: job.connections }, writer));
      // The time includes the last answer.
      const phase = (performance.now() - startedAt) / 1_000;
      rates[kind] = written.length / phase;
      seconds += phase;
      articles = written;
    }
    return { latencies, seconds, problems, rates };
  };
}

/** Sends a request. @returns the id of the article @throws Error for an answer that is not as expected */
type Send = (method: string, path: string, expected: object, fields?: object) => Promise<string>;

interface Article {
  readonly id: string;
  readonly slug: string;
  readonly number: number;
  readonly tag: string;
  readonly texts: readonly [Text, Text];
}

function* newArticles({ texts, prefix, tag }: Job): Generator<Article, void> {
  for (let number = 1; ; number += 1) {
    const two = [cycled(texts, number), cycled(texts, number + 1)] as const;
    yield { id: '', slug: `${prefix}-${number}`, number, tag, texts: two };
  }
}

async function write(
  send: Send,
  kind: (typeof KINDS)[number],
  { id, texts: [first, second], ...article }: Article,
): Promise<Article> {
  const { slug, number, tag } = article;
  const draft = { slug, drafted: true, submitted: false, published: false };
  const edited = { ...draft, draftText: second.cleaned };
  const [title, description] = [`Written under load, number ${number}`, 'What a write costs.'];
  const fields = { title, description };
  const tags = [tag, `batch ${number % 50}`];
  const requests = {
    create: () =>
      send(
        'POST',
        '/blog/author',
        { ...draft, draftText: first.cleaned },
        { ...fields, tags, slug, draftText: first.html },
      ),
    edit: () =>
      send('PUT', `/blog/author/id/${id}`, edited, {
        title: `${title}, edited`,
        description,
        draftText: second.html,
      }),
    submit: () =>
      send('PUT', `/blog/author/submit/${id}`, { ...edited, drafted: false, submitted: true }),
    publish: () =>
      send('PUT', `/blog/editor/publish/id/${id}`, {
        ...edited,
        drafted: false,
        published: true,
        text: second.cleaned,
      }),
  };
  return { ...article, id: await requests[kind](), texts: [first, second] };
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
