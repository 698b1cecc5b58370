import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import {
  expectCommonHeaders,
  expectRefusal,
  json,
  send,
  type RawAnswer,
  type RawRequest,
} from './raw-http.js';

const KEY = { 'x-api-key': API_KEY };

describe('Errors of the HTTP layer', () => {
  let server: TestApp;
  let author: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startApp();
    const { accessToken } = await person(server, 'AUTHOR');
    author = { ...KEY, authorization: `Bearer ${accessToken}` };
  });

  afterAll(async () => {
    await server.close();
  });

  describe('unknown path', () => {
    it.each([
      ['GET', '/nowhere'],
      ['POST', '/nowhere'],
      ['PATCH', '/blog'],
      ['GET', '/'],
      ['GET', '//'],
      ['GET', '//health'],
      ['GET', '/health//live'],
      ['GET', '/Health'],
      ['GET', '/blog/id'],
      ['GET', '/blog/id/66f1a2b3c4d5e6f708192a3b/more'],
      ['GET', '/blog%2Fid/66f1a2b3c4d5e6f708192a3b'],
      ['GET', '/%00'],
      ['GET', '/health%00'],
      ['GET', '/docs/../package.json'],
      ['GET', '/docs/%2e%2e/package.json'],
      ['GET', '/docs/index.html'],
      ['PROPFIND', '/nowhere'],
    ])('should respond to %s %s with 404', async (method, path) => {
      const answer = await send(server.url, path, { method, headers: KEY });
      expect(expectRefusal(answer, 404)).toBe('not found: no such path');
    });

    it('should respond with 404 also without a key: paths are no secret', async () => {
      expectRefusal(await send(server.url, '/nowhere'), 404);
    });

    it('should respond with 404 to a path parameter beyond the limit of the router', async () => {
      const longest = await send(server.url, `/blog/slug/${'a'.repeat(2_400)}`, { headers: KEY });
      expect(expectRefusal(longest, 404)).toBe('blog not found');
      const longer = await send(server.url, `/blog/slug/${'a'.repeat(2_401)}`, { headers: KEY });
      expect(expectRefusal(longer, 404)).toBe('not found: no such path');
    });
  });

  describe('known path with another method', () => {
    it.each([
      ['POST', '/health', 'GET, HEAD'],
      ['PUT', '/contact', 'POST'],
      ['GET', '/contact', 'POST'],
      ['PATCH', '/blog/author', 'POST, PUT'],
      ['TRACE', '/blogs/latest', 'GET, HEAD'],
      ['PROPFIND', '/blogs/latest', 'GET, HEAD'],
      ['QUERY', '/blogs/latest', 'GET, HEAD'],
      ['PUT', '/auth/signout', 'DELETE, POST'],
      ['POST', '/blog/author/id/not-an-id', 'DELETE, GET, HEAD, PUT'],
      ['DELETE', '/blogs/tag/a%2Fb', 'GET, HEAD'],
      ['POST', '/health/', 'GET, HEAD'],
      ['POST', '/health?page=1', 'GET, HEAD'],
      ['DELETE', '/openapi.json', 'GET, HEAD'],
      ['POST', '/.well-known/jwks.json', 'GET, HEAD'],
    ])('should respond to %s %s with 405 and Allow', async (method, path, allow) => {
      const answer = await send(server.url, path, { method });
      expect(expectRefusal(answer, 405)).toBe(`method not allowed: use ${allow}`);
      expect(answer.headers.allow).toBe(allow);
    });

    it('should not check the body', async () => {
      const answer = await send(server.url, '/health', json('{"broken'));
      expect(expectRefusal(answer, 405)).toContain('method not allowed');
    });
  });

  describe('HEAD', () => {
    it.each<readonly [string, number, Readonly<Record<string, string>>]>([
      ['/nowhere', 404, {}],
      ['/contact', 405, {}],
      ['/blogs/latest', 401, {}],
      ['/blogs/latest?page=0', 400, KEY],
      ['/blog/id/66f1a2b3c4d5e6f708192a3b', 404, KEY],
      ['/profile/mine', 401, KEY],
    ])('should respond to %s with %i and no body', async (path, status, headers) => {
      const head = await send(server.url, path, { method: 'HEAD', headers });
      expect(head).toMatchObject({ status, text: '' });
      expectCommonHeaders(head.headers);
      if (status === 405) expect(head.headers.allow).toBe('POST');
    });
  });

  describe('size of the body', () => {
    const KIB = 1_024;

    interface Sized {
      readonly name: string;
      readonly path: string;
      readonly limit: number;
      readonly words: string;
      /** JSON, padded with blanks. */
      readonly body: object;
      readonly status: number;
    }

    const CASES: readonly Sized[] = [
      {
        name: 'a message',
        path: '/contact',
        limit: 16 * KIB,
        words: '16 KiB',
        body: { type: 'feedback', msg: 'Good morning' },
        status: 200,
      },
      {
        name: 'an article',
        path: '/blog/author',
        limit: 1_024 * KIB,
        words: '1 MiB',
        body: { title: 'A title', description: 'What it is', draftText: 'A text' },
        status: 200,
      },
      {
        name: 'a move of an article',
        path: '/blog/author/submit/66f1a2b3c4d5e6f708192a3b',
        limit: 16 * KIB,
        words: '16 KiB',
        body: {},
        status: 404,
      },
    ];
    function request({ path, body }: Sized, bytes: number): RawRequest {
      const method = path.includes('submit') ? 'PUT' : 'POST';
      return { ...json(JSON.stringify(body).padEnd(bytes), author), method };
    }

    it.each(CASES)('should accept $words for $name', async (sized) => {
      const answer = await send(server.url, sized.path, request(sized, sized.limit));
      expect(answer.status).toBe(sized.status);
    });

    it.each(CASES)('should refuse one byte more for $name with 413', async (sized) => {
      const answer = await send(server.url, sized.path, request(sized, sized.limit + 1));
      expect(expectRefusal(answer, 413)).toBe(`the body is larger than ${sized.words}`);
      expect(answer.headers['connection']).toBe('close');
    });

    it.each(CASES)('should refuse a chunked body of that size for $name', async (sized) => {
      const { method, body } = request(sized, sized.limit + 1);
      const response = await fetch(server.url + sized.path, {
        method: method ?? '',
        headers: { 'content-type': 'application/json', ...author },
        body: new Blob([String(body)]).stream(),
        duplex: 'half',
      });
      const answer = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
      expect(expectRefusal(answer, 413)).toBe(`the body is larger than ${sized.words}`);
    });
  });

  describe('type of the body', () => {
    const BODY = JSON.stringify({ type: 'feedback', msg: 'Good morning' });

    function post(type: string | null): Promise<RawAnswer> {
      const headers = type === null ? KEY : { ...KEY, 'content-type': type };
      return send(server.url, '/contact', { method: 'POST', body: BODY, headers });
    }

    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset=UTF-8',
      'Application/JSON',
    ])('should accept %s', async (type) => {
      expect((await post(type)).status).toBe(200);
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json-patch+json',
      'application/problem+json',
      'text/json',
      'json',
      'application/json, text/plain',
      'text/plain; application/json',
      '*/*',
      null,
    ])('should refuse %s with 415', async (type) => {
      const refusal = expectRefusal(await post(type), 415);
      expect(refusal).toBe('the body must be JSON, with content-type application/json');
    });

    it('should refuse a body of another type on routes that ignore the body', async () => {
      const options = { headers: { ...author, 'content-type': 'text/plain' }, body: 'hello' };
      for (const [method, path] of [
        ['DELETE', '/auth/signout'],
        ['PUT', '/blog/author/submit/66f1a2b3c4d5e6f708192a3b'],
      ] as const) {
        expectRefusal(await send(server.url, path, { method, ...options }), 415);
      }
    });
  });

  describe('path and query', () => {
    it.each([
      '/blog/slug/%',
      '/blog/slug/%E0%A4%A',
      '/blog/slug/%zz',
      '/blogs/tag/%C0%AF',
      '/%',
      '/nowhere/%ff',
    ])('should refuse the undecodable path %s with 400', async (path) => {
      const answer = await send(server.url, path, { headers: KEY });
      expect(expectRefusal(answer, 400)).toBe('the path is not validly percent-encoded');
    });

    it.each([
      ['/blog/slug/%00', 404, 'blog not found'],
      ['/blog/slug/a%00b', 404, 'blog not found'],
      ['/blog/slug/a%2Fb', 404, 'blog not found'],
      ['/blog/slug/..%2F..%2Fetc', 404, 'blog not found'],
      ['/blog/id/%00', 400, 'id must be 24 hexadecimal characters'],
      ['/blog/id/66f1a2b3c4d5e6f708192a3b%00', 400, 'id must be 24 hexadecimal characters'],
      ['/blog/id/66f1a2b3c4d5e6f708192a3', 400, 'id must be 24 hexadecimal characters'],
      ['/blog/id/[object%20Object]', 400, 'id must be 24 hexadecimal characters'],
      [`/blog/id/${'a'.repeat(2_000)}`, 400, 'id must be 24 hexadecimal characters'],
    ])('should treat %s as data', async (path, status, message) => {
      const answer = await send(server.url, path, { headers: KEY });
      expect(expectRefusal(answer, status)).toBe(message);
    });

    it('should find nothing for an encoded slash or NUL in a tag', async () => {
      for (const tag of ['a%2Fb', '%00', 'a%00', '%24where', '%7B%22%24gt%22%3A%22%22%7D']) {
        const { status, text } = await send(server.url, `/blogs/tag/${tag}`, { headers: KEY });
        expect(status).toBe(200);
        expect(JSON.parse(text)).toMatchObject({ data: [] });
      }
    });

    it.each([
      'page=0',
      'page=-1',
      'page=1.5',
      'page=1e3',
      'page=',
      'page=x',
      'page=%00',
      'page=1&page=2',
      'page[$gt]=1',
      'page[]=1',
      'page%5B%24gt%5D=1',
      'page=1234567890',
      'limit=0',
      'limit=101',
      'limit=10&limit=10',
      'limit[a][b]=1',
    ])('should refuse the query %s with 400', async (query) => {
      const answer = await send(server.url, `/blogs/latest?${query}`, { headers: KEY });
      expect(expectRefusal(answer, 400)).toMatch(/^(page|limit) must be a (whole number|single)/);
    });

    it('should ignore unknown parameters', async () => {
      const query = '__proto__[page]=0&constructor=1&toString=2&$where=1&&=&%';
      const { status } = await send(server.url, `/blogs/latest?${query}`, { headers: KEY });
      expect(status).toBe(200);
    });
  });
});
