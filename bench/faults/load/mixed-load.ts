import type { Call } from '../../../scripts/support/own-server.ts';
import { createArticle, openNewsroom, publishMany, signUp } from '../../support/newsroom.ts';
import { cycled } from '../../support/statistics.ts';
import type { Sent } from '../testbed/client.ts';

const ARTICLES = 20;
/** One of so many requests is a sign-in, which costs as much as a hundred reads. */
const SIGN_IN_SHARE = 40;

/** The requests of readers, of an author and of people who sign in, in turn. */
export async function mixedRequests(call: Call): Promise<(at: number) => Sent> {
  const tokens = await openNewsroom(call);
  // An account of its own: the oldest sessions of one are ended.
  const { email, password } = await signUp(call, 'reader@faults.example');
  const published = await publishMany(call, tokens, ARTICLES);
  const draft = {
    title: 'Draft',
    description: 'Of an author.',
    tags: [],
    draftText: '<p>A text.</p>',
  };
  const { _id: draftId } = await createArticle(call, tokens.author, draft);
  const kinds: readonly ((at: number) => Sent)[] = [
    (at) => ({ path: `/blog/slug/${cycled(published, at).slug}` }),
    (at) => ({ path: `/blog/id/${cycled(published, at)._id}?n=${at}` }),
    () => ({ path: '/blogs/latest?limit=20' }),
    (at) => ({ path: `/blogs/tag/read?n=${at}` }),
    () => ({ path: '/blog/author/drafts', token: tokens.author }),
    (at) => ({
      method: 'PUT',
      path: `/blog/author/id/${draftId}`,
      token: tokens.author,
      body: { draftText: `<p>Text ${at}.</p>` },
    }),
    (at) => ({ method: 'POST', path: '/contact', body: { type: 'faults', msg: `message ${at}` } }),
  ];
  return (at) =>
    at % SIGN_IN_SHARE === 0
      ? { method: 'POST', path: '/auth/signin/basic', body: { email, password } }
      : cycled(kinds, at)(Math.floor(at / kinds.length));
}
