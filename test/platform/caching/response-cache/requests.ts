import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { API_KEY } from '../../../support/start-app.js';

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent, in its content coding. */
  readonly bytes: Buffer;
}

/** Values from the database of the test that requests may contain. */
export interface RequestTargets {
  readonly paths: readonly string[];
  /** ETags of the uncompressed answers to these paths, without quotes. */
  readonly etags: readonly string[];
  readonly cursor: string;
  readonly disabledKey: string;
}

const METHODS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'];

const CODINGS = [
  'br',
  'gzip',
  'gzip, deflate, br',
  'gzip;q=1.0, br;q=0.5',
  'br;q=0, gzip',
  'identity',
  'identity;q=0, br',
  'identity;q=0',
  '*',
  '*;q=0',
  'BR',
  'deflate',
  '',
  'br;q=x',
];

const ORIGINS = ['https://one.example', 'https://two.example', 'https://evil.example', 'null', ''];

const queriesWith = (cursor: string): string[] => [
  '',
  '',
  '?',
  '?page=1',
  '?page=1&limit=10',
  '?limit=10&page=1',
  '?page=',
  '?limit=%0A',
  '?limit=2',
  '?limit=2&limit=3',
  '?limit[]=2',
  '?total=true',
  '?total=true&limit=1',
  '?total=yes',
  `?cursor=${cursor}`,
  `?cursor=${cursor}&page=1`,
  `?cursor=${cursor}&page=2`,
  `?cursor=${cursor}x`,
  '?cursor=',
  '?unheard=of',
  '?page=1&unheard=of',
  '?__proto__=1',
  '?constructor=1',
  '?page=%31',
  '?page=1%0A=1',
  '?page=1#limit=2',
  '?page=0',
  ';page=2',
];

/** Spellings of a path. Some mean the same path, some another path, some no path. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path,
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}%0A`,
  (path) => `${path}%2F`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/[^/]+$/, (last) => last.toUpperCase()),
  (path) => path.replace(/[^/]+$/, (last) => percentEncoded(last)),
  (path) => path.replace('/', '//'),
  (path) => `${path}/more`,
  (path) => `http://elsewhere.example${path}`,
];

const header = (name: string, values: readonly string[]) =>
  fc
    .option(fc.constantFrom(...values), { nil: undefined })
    .map((value) => (value === undefined ? [] : [[name, value] as const]));

export function anyRequest({
  paths,
  etags,
  cursor,
  disabledKey,
}: RequestTargets): fc.Arbitrary<RawRequest> {
  const etagForms = etags.flatMap((tag) => [
    `"${tag}"`,
    `W/"${tag}"`,
    `"${tag}-br"`,
    `"${tag}-gzip"`,
    `"x", "${tag}-gzip" , W/"y"`,
    tag,
  ]);
  const keys: readonly (readonly (readonly [string, string])[])[] = [
    ...Array<readonly [readonly [string, string]]>(8).fill([['x-api-key', API_KEY]]),
    [],
    [['x-api-key', '']],
    [['x-api-key', 'a-key-of-nobody']],
    [['x-api-key', disabledKey]],
    [
      ['x-api-key', API_KEY],
      ['x-api-key', API_KEY],
    ],
    [['x-api-key', ` ${API_KEY} `]],
    [['x-api-key', API_KEY.toUpperCase()]],
  ];
  return fc
    .record({
      method: fc.constantFrom(...METHODS),
      path: fc.constantFrom(...paths),
      spellingIndex: fc.constantFrom(...SPELLINGS.keys()),
      query: fc.constantFrom(...queriesWith(cursor)),
      key: fc.constantFrom(...keys),
      ifNoneMatch: header('if-none-match', ['*', '', '"other"', ...etagForms]),
      codings: header('accept-encoding', CODINGS),
      origin: header('origin', ORIGINS),
      id: header('x-request-id', ['given.id_1', 'not given', 'x'.repeat(65), '']),
      connection: header('connection', ['close', 'keep-alive']),
      range: header('range', ['bytes=0-9']),
    })
    .map(({ method, path, spellingIndex, query, key, ...rest }) => ({
      method,
      path: (SPELLINGS[spellingIndex]?.(path) ?? path) + query,
      headers: [
        ...key,
        ...rest.ifNoneMatch,
        ...rest.codings,
        ...rest.origin,
        ...rest.id,
        ...rest.connection,
        ...rest.range,
      ],
    }));
}

export function ask(url: string, { method, path, headers }: RawRequest): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: hostname, port, path, method, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { statusCode: status = 0, headers: received } = incoming;
        resolve({ status, headers: received, bytes: Buffer.concat(chunks) });
      });
    });
    for (const [name, value] of headers) outgoing.appendHeader(name, value);
    // Tells the server that no further request follows on this connection.
    if (!headers.some(([name]) => name === 'connection')) outgoing.setHeader('connection', 'close');
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** The parts of an answer that must be the same whether it came from the cache or not. */
export function comparableParts(
  { status, headers, bytes }: RawResponse,
  { headers: sent }: RawRequest,
): object {
  const { date: _date, 'content-encoding': coding, ...rest } = headers;
  const decoded = DECODE[coding ?? '']?.(bytes) ?? bytes;
  const ids = sent.filter(([name]) => name === 'x-request-id').map(([, value]) => value);
  const id = String(headers['x-request-id']);
  return {
    status,
    headers: {
      ...rest,
      'x-request-id': ids.includes(id) ? id : /^[A-Za-z0-9._-]{1,64}$/.test(id),
      ...(coding === undefined
        ? {}
        : {
            etag: headers.etag?.replace(`-${coding}"`, '"'),
            'content-length': String(decoded.length),
          }),
    },
    body: decoded.toString(),
  };
}

function percentEncoded(text: string): string {
  return [...Buffer.from(decodeURIComponent(text))]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('');
}
