import { randomUUID } from 'node:crypto';
import type { Call } from '../../../scripts/support/own-server.ts';
import { openNewsroom, publishMany } from '../../support/newsroom.ts';
import { atRate } from '../../support/timing.ts';
import { cycled } from '../../support/statistics.ts';
import { time, type Client, type Sent } from './client.ts';

const ARTICLES = 20;
/** One of this many requests writes. */
const REQUESTS_PER_WRITE = 20;

export interface LoadResult {
  readonly sent: number;
  /** One line for each request without a 2xx answer. */
  readonly failures: readonly string[];
  /** The writes that were answered 2xx. */
  readonly written: readonly Sent[];
}

/** Publishes articles. @returns a function that makes the n-th request: a read, or a message to the operators */
export async function mixedRequests(call: Call): Promise<(at: number) => Sent> {
  const blogs = await publishMany(call, await openNewsroom(call), ARTICLES);
  const paths = [
    '/blogs/latest?limit=20',
    ...blogs.flatMap(({ _id, slug }) => [`/blog/slug/${slug}`, `/blog/id/${_id}`]),
    // An unknown query parameter keeps answers from coming from the response cache.
    ...blogs.slice(0, ARTICLES / 4).map(({ slug }) => `/blog/slug/${slug}?uncached`),
  ];
  return (at) => {
    if (at % REQUESTS_PER_WRITE !== 0) return { path: cycled(paths, at) };
    const msg = randomUUID();
    const headers = { 'idempotency-key': msg };
    return { method: 'POST', path: '/contact', headers, body: { type: 'faults', msg } };
  };
}

/** Sends requests at a fixed rate, even while answers are late, until `isOver`. No request is repeated. */
export async function sendAtRate(
  clients: readonly Client[],
  { rate, requestAt }: { readonly rate: number; readonly requestAt: (at: number) => Sent },
  isOver: () => boolean,
): Promise<LoadResult> {
  const failures: string[] = [];
  const written: Sent[] = [];
  const sent = await atRate(rate, isOver, async (at) => {
    const request = requestAt(at);
    const outcome = await cycled(clients, at).send(request);
    const { method = 'GET', path } = request;
    if (outcome.kind === 'answered' && outcome.status < 300) {
      if (method !== 'GET') written.push(request);
      return;
    }
    const result = outcome.kind === 'lost' ? outcome.why : `${outcome.status} ${outcome.text}`;
    failures.push(`${time()} ${method} ${path}: ${result.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  });
  return { sent: sent.length, failures, written };
}
