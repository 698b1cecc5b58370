import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blogIn } from '../../../support/factories.js';
import { BLOG_READS } from '../../../routes/reads.js';
import { runs, RUNS_DEADLINE_MS } from '../../../support/scale.js';
import { API_KEY, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { keepLease } from '../support/barriers.js';
import {
  anyRequest,
  ask,
  comparableParts,
  type RawRequest,
  type RequestTargets,
} from './requests.js';
import { openSecondServer, openFixture, type Fixture } from '../support/fixture.js';

/**
 * How often each request is sent to the server with a cache. An answer that the cache does not have yet
 * fills it; later answers come from it, and may be compressed.
 */
const TIMES = 3;

describe.each([
  ['any origin', {}],
  ['two origins', { CORS_ORIGINS: 'https://one.example,https://two.example' }],
])('an answer from the cache, with CORS for %s', (_title, env) => {
  let server: Fixture;
  let uncachedServer: TestApp;
  let targets: RequestTargets;
  let article: string;

  beforeAll(async () => {
    server = await openFixture({ env: { ...env, CACHE_MB: '64', LOG_REQUESTS: 'none' } });
    uncachedServer = await openSecondServer(server, {
      env: { ...env, CACHE_MB: '0', LOG_REQUESTS: 'none' },
    });
    for (const { app } of [server, uncachedServer]) keepLease(app);
    const draftText = `<p>${'A long text. '.repeat(200)}</p>`;
    const tags = ['TCP/IP', 'Größe'];
    const { author, editor } = server;
    const blog = await blogIn('live', author, editor, { draftText, tags });
    for (let n = 0; n < 3; n++) await blogIn('live', author, editor, { draftText, tags });
    const disabledKey = 'a-disabled-key-of-the-tests';
    await server.db.collection('api_keys').insertOne({ key: disabledKey, status: false });
    const paths = [
      ...BLOG_READS.map(({ pathTo }) => pathTo({ ...blog, author, similarBlog: blog })),
      '/blogs/tag/Gr%C3%B6%C3%9Fe',
      '/blog/slug/unknown',
    ];
    const answers = await Promise.all(paths.map((path) => ask(uncachedServer.url, get(path))));
    const etags = answers.map(({ headers }) => headers.etag?.slice(1, -1) ?? 'none');
    const { headers } = await ask(uncachedServer.url, get('/blogs/latest?limit=2'));
    const [, cursor = ''] = /cursor=([^>]+)>/.exec(String(headers['link'])) ?? [];
    expect(cursor).not.toBe('');
    targets = { paths, etags, cursor, disabledKey };
    article = `/blog/id/${blog._id}`;
  });

  it(
    'should be what the pipeline would have sent, for any request',
    async () => {
      await fc.assert(
        fc.asyncProperty(anyRequest(targets), async (request) => {
          const expected = comparableParts(await ask(uncachedServer.url, request), request);
          for (let time = 1; time <= TIMES; time++) {
            const answer = await ask(server.url, request);
            expect({ time, ...comparableParts(answer, request) }).toEqual({ time, ...expected });
            if (answer.headers['content-encoding']) {
              expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
              expect(answer.headers['vary']).toContain('Accept-Encoding');
            }
          }
        }),
        { numRuns: runs({ short: 150, long: 20_000 }) },
      );
    },
    RUNS_DEADLINE_MS,
  );

  it.each(['br', 'gzip'])(
    'should be compressed with %s after some hits, with an ETag of that coding',
    async (coding) => {
      const request = get(article, [['accept-encoding', coding]]);
      const uncompressed = await ask(uncachedServer.url, request);
      expect(uncompressed.headers['content-encoding']).toBeUndefined();
      await until('a compressed answer', async () => {
        const { headers } = await ask(server.url, request);
        return headers['content-encoding'] === coding;
      });
      const compressed = await ask(server.url, request);
      expect(compressed.headers.etag).toBe(uncompressed.headers.etag?.replace(/"$/, `-${coding}"`));
      expect(compressed.bytes.length).toBeLessThan(uncompressed.bytes.length);
      expect(comparableParts(compressed, request)).toEqual(comparableParts(uncompressed, request));
      for (const tag of [compressed.headers.etag, uncompressed.headers.etag]) {
        const revalidation = get(article, [
          ['accept-encoding', coding],
          ['if-none-match', String(tag)],
        ]);
        const answer = await ask(server.url, revalidation);
        expect([answer.status, answer.headers.etag, answer.bytes.length]).toEqual([304, tag, 0]);
      }
      const withoutCoding = get(article, [['if-none-match', String(compressed.headers.etag)]]);
      expect((await ask(server.url, withoutCoding)).status).toBe(200);
    },
  );
});

function get(path: string, headers: RawRequest['headers'] = []): RawRequest {
  return { method: 'GET', path, headers: [['x-api-key', API_KEY], ...headers] };
}
