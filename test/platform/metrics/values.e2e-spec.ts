import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { keepLease } from '../caching/support/barriers.js';
import { send } from '../http/raw-http.js';
import { ROOT } from '../../repository/files.js';
import { PASSWORD } from '../../support/factories.js';
import { until } from '../../support/time/wait.js';
import { Receiver } from '../../events/webhooks/receiver.js';
import { ENV, openWebhookFixture, type WebhookFixture } from '../../events/webhooks/fixture.js';
import { Scrape } from './scrape.js';

const LIMITS = { RATE_LIMITS: 'on', LIMIT_CONTACT: '1/1h', GUESSES_PER_ACCOUNT: '2/1d' };

describe('the metrics', () => {
  let server: WebhookFixture;

  beforeAll(async () => {
    server = await openWebhookFixture({ env: { ...ENV, ...LIMITS, METRICS_PORT: '0' } });
    // The lag is known once a heartbeat has returned. Reads send heartbeats, but not while `keepLease` holds the lease.
    await until('a heartbeat', async () => {
      await server.client.get('/blogs/latest');
      return (await scrape()).series.has('pressroom_change_stream_lag_seconds');
    });
  });

  const scrape = (): Promise<Scrape> => Scrape.of(server.metricsUrl);

  /** @param act returns by how much each series is expected to grow */
  async function expectAdded(act: () => Promise<Readonly<Record<string, number>>>): Promise<void> {
    const before = await scrape();
    const expected = await act();
    const added = async (): Promise<Record<string, number>> => {
      const after = await scrape();
      const names = Object.keys(expected);
      return Object.fromEntries(
        names.map((name) => [name, after.valueOf(name) - before.valueOf(name)]),
      );
    };
    // A client may read a response before the server has seen its end.
    await until('the counts', async () => isDeepStrictEqual(await added(), expected), 5_000).catch(
      async () => expect(await added()).toEqual(expected),
    );
  }

  const requests = (method: string, route: string, status: number | string): string =>
    `pressroom_http_requests_total{method="${method}",route="${route}",status="${status}"}`;
  const lookups = (cache: string, result: string): string =>
    `pressroom_cache_lookups_total{cache="${cache}",result="${result}"}`;

  it('should be those of the table in docs/operations.md', async () => {
    const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(pressroom_\w+)` +\| (\w+) +\|/gm)];
    const documented = rows.map(([, name, type]) => `${name} | ${type}`);
    expect(documented).toEqual((await scrape()).metrics);
  });

  it('should count a miss, hits and a 304 of the response cache', async () => {
    keepLease(server.app);
    const { slug } = (await server.publish()).body;
    const path = `/blog/slug/${slug}`;
    const route = '/blog/slug/:slug';
    await expectAdded(async () => {
      const { headers } = await server.client.get(path);
      await server.client.get(path);
      await server.client.get(path);
      const known = { 'if-none-match': String(headers.get('etag')) };
      expect((await server.client.get(path, { headers: known })).status).toBe(304);
      return {
        [lookups('responses', 'miss')]: 1,
        [lookups('responses', 'hit')]: 2,
        [lookups('responses', 'not-modified')]: 1,
        [requests('GET', route, 200)]: 3,
        [requests('GET', route, 304)]: 1,
        [`pressroom_http_request_duration_seconds_count{method="GET",route="${route}"}`]: 4,
        [`pressroom_http_request_duration_seconds_bucket{method="GET",route="${route}",le="+Inf"}`]: 4,
      };
    });
  });

  it('should count each lookup of a user, alone or among others, as a hit or a miss', async () => {
    keepLease(server.app);
    const path = `/blog/editor/history/id/${(await server.publish())._id}`;
    server.invalidateCaches();
    keepLease(server.app);
    // The history names the author and the editor.
    for (const [hit, miss] of [
      [0, 2],
      [2, 0],
      [2, 0],
    ]) {
      await expectAdded(async () => {
        expect((await server.editor.client.get(path)).status).toBe(200);
        return { [lookups('users', 'hit')]: Number(hit), [lookups('users', 'miss')]: Number(miss) };
      });
    }
  });

  it('should count refusals with and without a route, and HEAD', async () => {
    await expectAdded(async () => {
      await server.client.get('/blog/slug/not-there');
      await server.client.get('/blog/slug/not-there-either');
      await send(server.url, '/blogs/latest', {
        method: 'HEAD',
        headers: { ...server.client.headers },
      });
      await send(server.url, '/not/there', { headers: { ...server.client.headers } });
      await send(server.url, '/not/there', { method: 'PROPFIND' });
      await send(server.url, '/%zz');
      await server.client.with({ 'x-api-key': 'unknown' }).post('/auth/signin/basic', {});
      return {
        [requests('GET', '/blog/slug/:slug', 404)]: 2,
        [requests('HEAD', '/blogs/latest', 200)]: 1,
        [requests('GET', '(none)', 404)]: 1,
        [requests('other', '(none)', 404)]: 1,
        [requests('GET', '(none)', 400)]: 1,
        [requests('POST', '/auth/signin/basic', 403)]: 1,
      };
    });
  });

  it('should count wrong passwords and requests that limits refuse', async () => {
    const body = { email: 'nobody@example.org', password: `not ${PASSWORD}` };
    const message = { type: 'feedback', msg: 'hello' };
    await expectAdded(async () => {
      let wrong = 0;
      // Each further wrong password doubles the lockout, so that a request gets 429 sooner or later.
      while ((await server.client.post('/auth/signin/basic', body)).status === 401) wrong += 1;
      for (const status of [200, 429, 429]) {
        expect((await server.client.post('/contact', message)).status).toBe(status);
      }
      return {
        pressroom_signin_failures_total: wrong,
        'pressroom_rate_limit_refusals_total{limit="signin"}': 1,
        'pressroom_rate_limit_refusals_total{limit="contact"}': 2,
        [requests('POST', '/auth/signin/basic', 401)]: wrong,
        [requests('POST', '/auth/signin/basic', 429)]: 1,
      };
    });
  });

  it('should count the calls of webhooks, and the commands to MongoDB', async () => {
    const receiver = await Receiver.open();
    // Events that are logged before the webhook exists are not sent to it.
    await server.send();
    await server.create(receiver.url);
    await expectAdded(async () => {
      await server.publish();
      await server.send();
      receiver.answer = (response) => void response.writeHead(500).end();
      await server.publish();
      await server.send();
      return {
        'pressroom_webhook_deliveries_total{outcome="delivered"}': 1,
        'pressroom_webhook_deliveries_total{outcome="failed"}': 1,
        'pressroom_webhook_deliveries_total{outcome="given-up"}': 0,
      };
    });
    const { series } = await scrape();
    for (const command of ['find', 'insert', 'update']) {
      expect(
        series.get(
          `pressroom_mongodb_command_duration_seconds_count{client="requests",command="${command}"}`,
        ),
      ).toBeGreaterThan(0);
    }
    expect(
      series.get('pressroom_mongodb_pool_connections{client="requests",state="idle"}'),
    ).toBeGreaterThan(0);
    expect(series.get('pressroom_http_requests_in_flight')).toBe(0);
    expect(series.get('pressroom_change_stream_lag_seconds')).toBeGreaterThan(0);
  });

  it('should be served at one path, for GET only, without a key', async () => {
    const { origin } = new URL(String(server.metricsUrl));
    const statusOf = async (path: string, method = 'GET'): Promise<number> =>
      (await send(origin, path, { method })).status;
    expect(await statusOf('/metrics')).toBe(200);
    for (const path of ['/', '/metrics/', '/health', '/blogs/latest']) {
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    }
    expect(await statusOf('/metrics', 'POST')).toBe(404);
    expect((await send(server.url, '/metrics')).status).toBe(404);
  });
});
