import { runLoad } from './load/open-loop.mjs';
import { shuffled } from './load/shuffle.mjs';

/** What comes in a second beside the writers, in parts of a hundred. */
const SHARES = { hot: 50, articles: 25, lists: 10, similar: 3, signedIn: 11, signIns: 1 };
const HOT_ARTICLES = 20;
/** So that the least frequent kind has many different ones too. */
const HUNDREDS = 100;

/**
 * Requests of every kind in the proportions of SHARES, in one mixed order, for `openLoop`.
 *
 * @param token of the signed-in reads
 */
export function mixedRequests({ world }, token) {
  const headers = { 'x-api-key': world.apiKey };
  const signedIn = { ...headers, authorization: `Bearer ${token}` };
  const at = (values, number) => values[number % values.length];
  const slugOf = (slug) => `/blog/slug/${encodeURIComponent(slug)}`;
  const lists = listPaths(world);
  const kinds = {
    hot: (number) => ({ path: slugOf(world.slugs[number % HOT_ARTICLES]), headers }),
    articles: (number) => ({ path: slugOf(at(world.slugs, number)), headers }),
    lists: (number) => ({ path: at(lists, number), headers }),
    similar: (number) => ({ path: `/blogs/similar/id/${at(world.ids, number)}`, headers }),
    signedIn: (number) => ({ path: at(SIGNED_IN_PATHS, number), headers: signedIn }),
    signIns: (number) => signInOf(at(world.readers, number), headers),
  };
  const requests = Object.entries(SHARES).flatMap(([kind, share]) =>
    Array.from({ length: share * HUNDREDS }, (_, number) => kinds[kind](number)),
  );
  return shuffled(requests.map((request) => ({ method: 'GET', ...request })));
}

const SIGNED_IN_PATHS = [
  '/profile/mine',
  '/blog/author/published',
  '/blog/author/drafts',
  '/blog/editor/published',
];

function listPaths({ tags }) {
  const pages = Array.from({ length: 30 }, (_, index) => index + 1);
  return [
    ...pages.map((page) => `/blogs/latest?page=${page}`),
    ...tags.slice(0, 100).map(({ tag }) => `/blogs/tag/${encodeURIComponent(tag)}`),
  ];
}

function signInOf({ email, password }, headers) {
  return {
    method: 'POST',
    path: '/auth/signin/basic',
    headers,
    body: JSON.stringify({ email, password }),
  };
}

/**
 * Writers who create articles and edit them, again and again, one request of each at a time.
 *
 * What is checked: the status of each answer, and that the text is there to its last character.
 *
 * @param texts HTML of the articles, in turn
 * @param ready is waited for when the process of the writers has started
 * @returns the latencies of the writes; @throws Error for any wrong answer
 */
export async function writeLarge(
  { server, apiKey, token, texts, seconds, ready, writers = 1 },
  cpus,
) {
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${token}` };
  const job = { url: server.url, headers, texts, seconds, writers };
  const { latencies, problems } = await runLoad('large-writes', job, cpus, ready);
  if (problems.count > 0) {
    throw new Error(`${problems.count} writes went wrong, such as: ${problems.sample}`);
  }
  return latencies;
}
