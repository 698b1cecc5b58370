import type { CheckedRequest } from '../../load/open-loop.ts';
import { cycled, shuffled } from '../../support/statistics.ts';
import type { DataSet, Person } from '../data/seed.ts';

/** What comes in a second beside the writers, in parts of a hundred. */
const SHARES = { cached: 50, articles: 25, lists: 10, similar: 3, signedIn: 11, signIns: 1 };
/** How many articles the cached reads are of. */
export const CACHED_ARTICLES = 20;
/** So that the least frequent kind has many different ones too. */
const HUNDREDS = 100;

const SIGNED_IN_PATHS = [
  '/profile/mine',
  '/blog/author/published',
  '/blog/author/drafts',
  '/blog/editor/published',
];

export function articlePath(slug: string): string {
  return `/blog/slug/${encodeURIComponent(slug)}`;
}

/**
 * Requests of every kind in the proportions of SHARES, in one mixed order.
 *
 * @param token of the signed-in reads
 */
export function mixedRequests(data: DataSet, token: string): CheckedRequest[] {
  const headers = { 'x-api-key': data.apiKey };
  const signedIn = { ...headers, authorization: `Bearer ${token}` };
  const cached = data.slugs.slice(0, CACHED_ARTICLES);
  const lists = listPaths(data);
  const kinds: Record<keyof typeof SHARES, (number: number) => CheckedRequest> = {
    cached: (number) => ({ path: articlePath(cycled(cached, number)), headers }),
    articles: (number) => ({ path: articlePath(cycled(data.slugs, number)), headers }),
    lists: (number) => ({ path: cycled(lists, number), headers }),
    similar: (number) => ({ path: `/blogs/similar/id/${cycled(data.ids, number)}`, headers }),
    signedIn: (number) => ({ path: cycled(SIGNED_IN_PATHS, number), headers: signedIn }),
    signIns: (number) => signInRequest(cycled(data.readers, number), headers),
  };
  const names = Object.keys(SHARES) as (keyof typeof SHARES)[];
  return shuffled(
    names.flatMap((kind) =>
      Array.from({ length: SHARES[kind] * HUNDREDS }, (_, number) => kinds[kind](number)),
    ),
  );
}

function listPaths({ tags }: DataSet): string[] {
  return [
    ...Array.from({ length: 30 }, (_, index) => `/blogs/latest?page=${index + 1}`),
    ...tags.slice(0, 100).map(({ tag }) => `/blogs/tag/${encodeURIComponent(tag)}`),
  ];
}

export function signInRequest(
  { email, password }: Pick<Person, 'email' | 'password'>,
  headers: Readonly<Record<string, string>>,
): CheckedRequest {
  return {
    method: 'POST',
    path: '/auth/signin/basic',
    headers,
    body: JSON.stringify({ email, password }),
  };
}
