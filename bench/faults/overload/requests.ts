import { CREDENTIALS, type Call } from '../../../scripts/support/own-server.ts';
import { openNewsroom, publishMany, signUp } from '../../support/newsroom.ts';
import { cycled, shuffled } from '../../support/statistics.ts';

/** The kinds of requests. Under overload a server has to refuse the first kinds most often. */
export const KINDS = ['expensive-read', 'read', 'write', 'sign-in'] as const;

export type Kind = (typeof KINDS)[number];

/** A request as it goes over the connection. */
export interface Sent {
  readonly kind: Kind;
  readonly text: string;
}

const ARTICLE_COUNT = 200;
const PARAGRAPH = '<p>A paragraph with some words of an article that many people read.</p>';

/** Placeholder in a title. The load replaces it by another number of eight digits each time: all slugs differ. */
export const NUMBER_PLACEHOLDER = '10000000';

/** Number of requests of each list of `Requests` among a thousand. */
const SHARES: readonly (readonly [count: number, kind: keyof Requests])[] = [
  [400, 'articles'],
  [250, 'lists'],
  [150, 'longLists'],
  [60, 'expensive'],
  [135, 'writes'],
  [5, 'signIns'],
];

type Requests = Readonly<
  Record<'articles' | 'lists' | 'longLists' | 'expensive' | 'writes' | 'signIns', readonly Sent[]>
>;

/** Fills a server. @returns a thousand requests in random order that no cache answers */
export async function prepareRequests(call: Call): Promise<readonly Sent[]> {
  const requests = await fill(call);
  const mixed = SHARES.flatMap(([count, name]) =>
    Array.from({ length: count }, (_, at) => cycled(requests[name], at)),
  );
  return shuffled(mixed);
}

async function fill(call: Call): Promise<Requests> {
  const tokens = await openNewsroom(call);
  const people = [];
  // The sign-ins are spread over five accounts, because an account can have 20 sessions only.
  for (let at = 0; at < 5; at += 1) people.push(await signUp(call, `p${at}@faults.example`));
  const article = { description: 'For readers.', draftText: PARAGRAPH.repeat(40) };
  const published = await publishMany(call, tokens, ARTICLE_COUNT, (at) => ({
    ...article,
    title: `Word${at} news`,
    tags: ['read', `tag ${at % 5}`],
  }));
  const numbers = Array.from({ length: ARTICLE_COUNT }, (_, at) => at);
  // Each path has an unknown query parameter, so that the response cache does not answer it.
  const get = (kind: Kind, path: string): Sent => ({ kind, text: textOf('GET', path) });
  return {
    articles: published.map(({ slug }) => get('read', `/blog/slug/${slug}?uncached`)),
    lists: numbers.map((at) =>
      get('read', `/blogs/tag/tag%20${at % 5}?limit=20&page=${1 + (at % 2)}&n=${at % 10}`),
    ),
    longLists: numbers.map((at) => get('read', `/blogs/latest?limit=${60 + (at % 40)}&uncached`)),
    expensive: numbers.map((at) => {
      const { _id } = cycled(published, at);
      const paths = [
        `/blogs/search?q=word${at}+news&n`,
        `/blogs/similar/id/${_id}?n`,
        `/blogs/latest?page=${200 + at}&limit=100&n`,
        `/blogs/tag/read?total=true&n=${at}`,
      ];
      return get('expensive-read', cycled(paths, at));
    }),
    writes: numbers.map((at) =>
      at % 4 === 0
        ? withBody('write', 'POST', '/contact', { type: 'faults', msg: `message ${at}` })
        : withBody(
            'write',
            'POST',
            '/blog/author',
            { ...article, title: `A draft ${NUMBER_PLACEHOLDER}` },
            tokens.author,
          ),
    ),
    signIns: people.map(({ email }) =>
      withBody('sign-in', 'POST', '/auth/signin/basic', { email, password: CREDENTIALS.password }),
    ),
  };
}

function withBody(kind: Kind, method: string, path: string, body: object, token?: string): Sent {
  return { kind, text: textOf(method, path, JSON.stringify(body), token) };
}

/** The bytes of a request. @param body a body of ASCII characters */
export function textOf(method: string, path: string, body?: string, token?: string): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: faults',
    `x-api-key: ${CREDENTIALS.apiKey}`,
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${body.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
