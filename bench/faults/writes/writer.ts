import { create, type Client } from '../testbed/client.ts';
import type { Tokens } from '../../support/newsroom.ts';
import { TrackedArticle } from './tracked-article.ts';

/** Milliseconds from the request to the scheduled time; the server demands at least a minute. */
const AHEAD_MS = 65_000;
/** One of this many articles is scheduled instead of published. */
const ARTICLES_PER_SCHEDULE = 6;

/** Records that one writer has made. */
export interface Written {
  readonly articles: TrackedArticle[];
  /** The texts of the acknowledged messages. */
  readonly messages: string[];
  /** The scheduled articles, with the times at which their publications are due. */
  readonly scheduled: { readonly article: TrackedArticle; readonly publishAt: Date }[];
  /** The errors after which the writer went on with its next article. The fourth one ends the writer. */
  readonly errors: string[];
}

export interface WriterOptions {
  readonly name: string;
  /** Chooses the server of each request. */
  readonly pick: () => Client;
  readonly tokens: Tokens;
  readonly isOver: () => boolean;
  /** Whether writers may still schedule publications. The run lasts until all of these are due. */
  readonly maySchedule: () => boolean;
}

/** Takes one article after another through all its transitions, until `isOver`. */
export async function write(options: WriterOptions): Promise<Written> {
  const written: Written = { articles: [], messages: [], scheduled: [], errors: [] };
  for (let at = 0; !options.isOver(); at += 1) {
    try {
      await writeOne(written, `${options.name}n${at}`, at, options);
    } catch (error) {
      written.errors.push(String(error));
      if (written.errors.length > 3) break;
    }
  }
  return written;
}

/** The records of several writers together. */
export function merged(all: readonly Written[]): Written {
  return {
    articles: all.flatMap(({ articles }) => articles),
    messages: all.flatMap(({ messages }) => messages),
    scheduled: all.flatMap(({ scheduled }) => scheduled),
    errors: all.flatMap(({ errors }) => errors),
  };
}

async function writeOne(
  { articles, messages, scheduled }: Written,
  marker: string,
  at: number,
  { pick, tokens, isOver, maySchedule }: WriterOptions,
): Promise<void> {
  const article = await TrackedArticle.create(pick, tokens, { marker, tag: 'written' });
  articles.push(article);
  const isScheduled = at % ARTICLES_PER_SCHEDULE === 0 && maySchedule();
  let publishAt = new Date();
  const scheduleBody = () => ({ publishAt: (publishAt = new Date(Date.now() + AHEAD_MS)) });
  const message = `message of ${marker}`;
  const steps: readonly (() => Promise<unknown>)[] = [
    () => article.edit(`second of ${marker}`),
    () => article.change('submit'),
    () => article.comment(`comment on ${marker}`),
    ...(isScheduled
      ? [() => article.change('schedule', scheduleBody)]
      : [
          () => article.change('publish'),
          () => create(pick, { path: '/contact', body: { type: 'faults', msg: message } }),
          () => article.edit(`third of ${marker}`),
          () => article.edit(`fourth of ${marker}`),
          () => article.change('submit'),
          () => article.change('publish'),
          () => article.change('unpublish'),
        ]),
  ];
  for (const [index, step] of steps.entries()) {
    if (isOver()) return;
    const result = await step();
    if (result === null) return;
    if (!isScheduled && index === 4) messages.push(message);
    if (isScheduled && index === 3) scheduled.push({ article, publishAt });
  }
}
