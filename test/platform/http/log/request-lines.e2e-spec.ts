import { describe, expect, it, jest } from '@jest/globals';
import { Listing } from '../../../../src/platform/http/pagination/listing.js';
import { PublicListService } from '../../../../src/blog/public/lists/public-list.service.js';
import { freshDatabaseUri } from '../../../support/mongo/mongo.js';
import { API_KEY, startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { linesOf, requestLines } from './log-lines.js';
import { json, send, sendBytes } from '../raw-http.js';

const KEY = { 'x-api-key': API_KEY };

describe('LOG_REQUESTS', () => {
  /** The database of all tests. */
  const uri = freshDatabaseUri();

  async function withApp(
    env: Readonly<Record<string, string>>,
    run: (server: TestApp) => Promise<void>,
  ): Promise<void> {
    const server = await startApp({ uri, env });
    await run(server);
    await server.close();
  }

  it('should log the id, method, route, status and time of every request with "all"', async () => {
    await withApp({ LOG_REQUESTS: 'all' }, async (server) => {
      const requests = [
        ['GET', '/blogs/tag/secret-tag?limit=5', '/blogs/tag/:tag', 200],
        ['HEAD', '/blogs/latest', '/blogs/latest', 200],
        ['GET', '/blog/slug/secret-slug', '/blog/slug/:slug', 404],
        ['GET', '/secret-path', '(none)', 404],
        ['DELETE', '/contact', '(none)', 405],
        ['OPTIONS', '/blogs/latest', '*', 204],
        ['GET', '/blog/slug/%', '(none)', 400],
        ['POST', '/contact', '/contact', 422],
      ] as const;
      for (const [index, [method, path]] of requests.entries()) {
        const headers = { ...KEY, 'x-request-id': `request-${index}` };
        await send(server.url, path, { method, headers });
      }
      const lines = await requestLines(server, requests.length);
      expect(lines).toEqual(
        requests.map(([method, , route, status], index) => ({
          level: 30,
          time: expect.any(Number),
          pid: expect.any(Number),
          hostname: expect.any(String),
          reqId: `request-${index}`,
          method,
          route,
          status,
          ms: expect.any(Number),
          msg: 'request',
        })),
      );
      for (const line of lines) expect(line['ms']).toBeLessThan(30_000);
    });
  });

  it('should omit fast, successful reads with "notable", and log a malformed request without its path', async () => {
    // Every read takes less time than this.
    await withApp({ LOG_REQUESTS: 'notable', SLOW_MS: '60000' }, async (server) => {
      const contact = JSON.stringify({ type: 'feedback', msg: 'Hello' });
      await send(server.url, '/health');
      await send(server.url, '/blogs/latest', { headers: KEY });
      await send(server.url, '/blogs/latest', { method: 'HEAD', headers: KEY });
      await send(server.url, '/blogs/latest', { method: 'OPTIONS', headers: KEY });
      await send(server.url, '/blogs/latest');
      await send(server.url, '/contact', json(contact, KEY));
      await send(server.url, '/nowhere');
      await send(server.url, '/%');
      const lines = await requestLines(server, 4);
      expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
        ['GET', '/blogs/latest', 401],
        ['POST', '/contact', 200],
        ['GET', '(none)', 404],
        ['GET', '(none)', 400],
      ]);

      const { headers } = await sendBytes(server.url, 'GET /secret-path HTTP/9.9\r\n\r\n');
      await until('the line', () => linesOf(server, 'malformed request').length === 1);
      const [line] = linesOf(server, 'malformed request');
      expect(line).toMatchObject({ reqId: headers['x-request-id'], status: 400 });
      expect(JSON.stringify(line)).not.toContain('secret-path');
    });
  });

  it('should log reads slower than SLOW_MS with "notable"', async () => {
    await withApp({ LOG_REQUESTS: 'notable', SLOW_MS: '40' }, async (server) => {
      const service = server.app.get(PublicListService, { strict: false });
      jest.spyOn(service, 'list').mockImplementation(async () => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        return new Listing([], 10, null, undefined);
      });
      await send(server.url, '/blogs/latest', { headers: KEY });
      const [line] = await requestLines(server, 1);
      expect(line).toMatchObject({ route: '/blogs/latest', status: 200 });
      expect(line?.['ms']).toBeGreaterThan(40);
    });
  });

  it('should omit all requests with "none", but log a defect', async () => {
    await withApp({ LOG_REQUESTS: 'none' }, async (server) => {
      await send(server.url, '/nowhere');
      await send(server.url, '/%');
      await sendBytes(server.url, 'broken\r\n\r\n');
      const service = server.app.get(PublicListService, { strict: false });
      jest.spyOn(service, 'list').mockRejectedValue(new Error('the-cause'));
      await send(server.url, '/blogs/latest', { headers: KEY });
      await until('the defect', () => linesOf(server, 'failed').length === 1);
      expect(linesOf(server, 'request')).toEqual([]);
      expect(linesOf(server, 'malformed request')).toEqual([]);
    });
  });
});
