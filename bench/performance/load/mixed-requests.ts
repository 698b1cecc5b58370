import { signInRequest } from '../../load/connections.ts';
import type { CheckedRequest } from '../../load/open-loop.ts';
import { cycled, shuffled } from '../../support/statistics.ts';
import type { Bench } from '../bench.ts';
import type { DataSet } from '../../data/seed.ts';
import type { Headers, Server } from '../../support/servers/servers.ts';
import { textsOf } from './texts.ts';
import { writeRepeatedly } from './writes.ts';

/** What comes in a second beside the writers, in parts of a hundred. */
const SHARES = { cached: 50, articles: 25, lists: 10, similar: 3, signedIn: 11, signIns: 1 };
/** How many articles the cached reads are of. */
export const CACHED_ARTICLES = 20;
/** So that the least frequent kind has many different ones too. */
const HUNDREDS = 100;

/** Below the limit of 100,000 characters, with what a writer puts at the end. */
const LARGE_TEXTS = { count: 20, bytes: 98_000 };

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
 * Reads and sign-ins at a rate, and beside them one who writes large articles.
 *
 * @returns a function that runs both for some seconds
 */
export async function mixedLoad(bench: Bench, server: Server, rate: number) {
  const { data, cpus, options } = bench;
  const headers = await server.signIn(cycled(data.authors, 0));
  const requests = mixedRequests(data, headers);
  const texts = textsOf(options, LARGE_TEXTS);
  return (seconds: number) => {
    const job = { headers, texts, seconds, connections: 1 };
    return Promise.all([
      bench.openLoop({ server, requests, rate, seconds }),
      writeRepeatedly({ server, job }, cpus),
    ]);
  };
}

/** Requests of every kind in the proportions of SHARES, in one mixed order. */
function mixedRequests(data: DataSet, signedIn: Headers): CheckedRequest[] {
  const headers = { 'x-api-key': data.apiKey };
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
