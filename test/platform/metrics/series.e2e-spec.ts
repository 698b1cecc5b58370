import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../http/raw-http.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { Scrape } from './scrape.js';

const METHODS =
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND MKCOL LOCK REPORT SEARCH PURGE M-SEARCH SOURCE QUERY'.split(
    ' ',
  );

/** Beginnings of paths. The test appends a number, so that no path comes twice. */
const PATHS = [
  '/',
  '/blog/slug/x',
  '/blogs/tag/x?page=1&',
  '/%zz',
  '/%00',
  '/a"b',
  '/x{y="z"}',
  '/é',
  '//',
  '/blog/slug/\\n',
  '/../etc',
  '/blogs/latest/',
  '/blogs/latest?',
  '/admin/users/id/',
  '/#',
];

describe('the series of the metrics', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp({ env: { METRICS_PORT: '0' } });
  });

  /** Sends this many requests. @returns the metrics afterwards */
  async function sendMany(count: number): Promise<Scrape> {
    const headers = { ...server.client.headers };
    const paths = Array.from({ length: count }, (_, number) => ({
      path: encodeURI(`${PATHS[number % PATHS.length]}${number}`).replace('%25zz', '%zz'),
      method: METHODS[number % METHODS.length] ?? 'GET',
    }));
    for (let at = 0; at < count; at += 50) {
      await Promise.all(
        paths
          .slice(at, at + 50)
          .map(({ path, method }) => send(server.url, path, { method, headers })),
      );
    }
    return Scrape.of(server.metricsUrl);
  }

  it('should not grow with the paths and methods that clients make up', async () => {
    const [first, second] = [await sendMany(500), await sendMany(500)];
    const own = ({ series }: Scrape): string[] =>
      [...series.keys()].filter((name) => name.startsWith('pressroom_http_'));
    const total = [...second.series].reduce(
      (sum, [name, value]) =>
        name.startsWith('pressroom_http_requests_total') ? sum + value : sum,
      0,
    );
    expect(total).toBe(1_000);
    // Each route and method has nine series, and one more for each status. Unknown methods share one label.
    expect(own(first).length).toBeLessThan(300);
    expect(own(second).sort()).toEqual(own(first).sort());
    expect(own(second).join('\n')).not.toMatch(/PROPFIND|zz|etc|999/);
  });

  it('should be served on this machine only by default', () => {
    expect(server.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });
});
