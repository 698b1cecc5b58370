import { CREDENTIALS, type Call } from '../../../scripts/support/own-server.ts';
import {
  createArticle,
  publishArticle,
  signInAdmin,
  signUp,
  signUpAuthor,
} from '../../support/newsroom.ts';
import { atRate } from '../../support/at-rate.ts';
import { cycled } from '../../support/statistics.ts';
import type { Client, Sent } from '../bed/client.ts';

const ARTICLES = 20;
/** Requests a second: far from what two servers on two cores can do. */
const RATE = 40;
/** One of so many requests is a sign-in, which costs as much as a hundred reads. */
const SIGN_IN_SHARE = 40;

export interface Timed {
  /** When the request was due, in milliseconds of `performance.now`. */
  readonly due: number;
  /** Until its answer, from when it was due. */
  readonly ms: number;
  /** A status, or `lost`. */
  readonly result: string;
}

/** The requests of readers, of an author and of people who sign in, in turn. */
export async function mixedRequests(call: Call): Promise<(at: number) => Sent> {
  const admin = await signInAdmin(call);
  const { token: author } = await signUpAuthor(call, 'author@faults.example', admin);
  // An account of its own: the oldest sessions of one are ended.
  const { email } = await signUp(call, 'reader@faults.example');
  const text = { description: 'For readers.', tags: ['read'], draftText: '<p>A text.</p>' };
  const published: { _id: string; slug: string }[] = [];
  const drafts: string[] = [];
  for (let at = 0; at < ARTICLES; at += 1) {
    const article = { ...text, title: `Article ${at}` };
    published.push(await publishArticle(call, { author, editor: admin }, article));
    drafts.push((await createArticle(call, author, { ...article, title: `Draft ${at}` }))._id);
  }
  const kinds: readonly ((at: number) => Sent)[] = [
    (at) => ({ path: `/blog/slug/${cycled(published, at).slug}` }),
    (at) => ({ path: `/blog/id/${cycled(published, at)._id}?n=${at}` }),
    () => ({ path: '/blogs/latest?limit=20' }),
    (at) => ({ path: `/blogs/tag/read?n=${at}` }),
    () => ({ path: '/blog/author/drafts', token: author }),
    (at) => ({
      ...{ method: 'PUT', path: `/blog/author/id/${cycled(drafts, at)}`, token: author },
      body: { draftText: `<p>Text ${at}.</p>` },
    }),
    (at) => ({ method: 'POST', path: '/contact', body: { type: 'faults', msg: `message ${at}` } }),
  ];
  const { password } = CREDENTIALS;
  return (at) =>
    at % SIGN_IN_SHARE === 0
      ? { method: 'POST', path: '/auth/signin/basic', body: { email, password } }
      : cycled(kinds, at)(Math.floor(at / kinds.length));
}

/** Sends them at a fixed rate, however late the answers are, until it is over. */
export async function sendMixed(
  clients: readonly Client[],
  requestAt: (at: number) => Sent,
  isOver: () => boolean,
): Promise<readonly Timed[]> {
  return atRate(RATE, isOver, async (at, due) => {
    // Not by turns: each kind of request is to reach each server.
    const client = cycled(clients, at + Math.floor(at / SIGN_IN_SHARE));
    const outcome = await client.send(requestAt(at));
    const result = outcome.kind === 'lost' ? 'lost' : String(outcome.status);
    return { due, ms: outcome.at - due, result };
  });
}
