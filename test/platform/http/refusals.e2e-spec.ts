import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/client.js';
import { blogIn, person, unknownId, type Person } from '../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { expectCommonHeaders, expectRefusal, json, send } from './raw-http.js';

const KEY = { 'x-api-key': API_KEY };
const BAD_BODY = { title: '', tags: 'none' };

describe('Errors of the HTTP layer', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  describe('unknown path', () => {
    it.each([
      ['GET', '/nowhere'],
      ['PATCH', '/blog'],
      ['GET', '//health'],
      ['GET', '/Health'],
      ['GET', '/blog%2Fid/66f1a2b3c4d5e6f708192a3b'],
      ['GET', '/health%00'],
      ['GET', '/docs/%2e%2e/package.json'],
      ['PROPFIND', '/nowhere'],
    ])('should respond to %s %s with 404', async (method, path) => {
      const answer = await send(server.url, path, { method, headers: KEY });
      expect(expectRefusal(answer, 404)).toBe('not found: no such path');
    });

    it('should respond with 404 even without a key: paths are no secret', async () => {
      expectRefusal(await send(server.url, '/nowhere'), 404);
    });

    it('should respond with 404 to a path parameter beyond the limit of the router', async () => {
      const longest = await send(server.url, `/blog/slug/${'a'.repeat(2_400)}`, { headers: KEY });
      expect(expectRefusal(longest, 404)).toBe('blog not found');
      const tooLong = await send(server.url, `/blog/slug/${'a'.repeat(2_401)}`, { headers: KEY });
      expect(expectRefusal(tooLong, 404)).toBe('not found: no such path');
    });
  });

  describe('known path with another method', () => {
    it.each([
      ['PUT', '/contact', 'POST'],
      ['TRACE', '/blogs/latest', 'GET, HEAD'],
      ['PROPFIND', '/blogs/latest', 'GET, HEAD'],
      ['PUT', '/auth/signout', 'DELETE, POST'],
      ['POST', '/blog/author/id/not-an-id', 'DELETE, GET, HEAD, PUT'],
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

  describe('path and query', () => {
    it.each(['/blog/slug/%E0%A4%A', '/blogs/tag/%C0%AF', '/nowhere/%ff'])(
      'should refuse the undecodable path %s with 400',
      async (path) => {
        const answer = await send(server.url, path, { headers: KEY });
        expect(expectRefusal(answer, 400)).toBe('the path is not validly percent-encoded');
      },
    );

    it.each([
      ['/blog/slug/a%00b', 404, 'blog not found'],
      ['/blog/slug/..%2F..%2Fetc', 404, 'blog not found'],
      ['/blog/id/66f1a2b3c4d5e6f708192a3b%00', 400, 'id must be 24 hexadecimal characters'],
      [`/blog/id/${'a'.repeat(2_000)}`, 400, 'id must be 24 hexadecimal characters'],
    ])('should treat %s as data', async (path, status, message) => {
      const answer = await send(server.url, path, { headers: KEY });
      expect(expectRefusal(answer, status)).toBe(message);
    });

    it('should find nothing for an encoded slash, NUL or operator in a tag', async () => {
      for (const tag of ['a%2Fb', '%00', 'a%00', '%24where', '%7B%22%24gt%22%3A%22%22%7D']) {
        const { status, text } = await send(server.url, `/blogs/tag/${tag}`, { headers: KEY });
        expect(status).toBe(200);
        expect(JSON.parse(text)).toMatchObject({ data: [] });
      }
    });

    // test/blog/public/lists tests all values of page and limit.
    it.each([
      'page=0',
      'page=1&page=2',
      'page[]=1',
      'page%5B%24gt%5D=1',
      'limit=101',
      'limit[a][b]=1',
    ])('should refuse the query %s with 400', async (query) => {
      const answer = await send(server.url, `/blogs/latest?${query}`, { headers: KEY });
      expect(expectRefusal(answer, 400)).toMatch(
        /^((page|limit) must be a (whole number|single)|give (page|limit) once)/,
      );
    });

    it('should ignore unknown parameters', async () => {
      const query = '__proto__[page]=0&constructor=1&toString=2&$where=1&&=&%';
      const { status } = await send(server.url, `/blogs/latest?${query}`, { headers: KEY });
      expect(status).toBe(200);
    });
  });

  /** The order is API key, token, role, path and query, body, existence and ownership, revision and state. */
  describe('order of checks', () => {
    let author: Person;
    let other: Person;
    let editor: Person;

    beforeAll(async () => {
      author = await person(server, 'AUTHOR');
      other = await person(server, 'AUTHOR');
      editor = await person(server, 'EDITOR');
    });

    async function refusal(
      client: Client,
      path: string,
      body: unknown,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<string> {
      const answer = await client.request('PUT', path, { body, headers });
      return `${answer.status} ${answer.body.message}`;
    }

    it('should be key, token, role, path, body', async () => {
      const path = '/blog/author/id/bad';
      const broken = server.client.as('broken');
      const steps: readonly (readonly [Client, string])[] = [
        [broken.with({ 'x-api-key': null }), '401 permission denied: missing x-api-key header'],
        [broken, '401 invalid access token'],
        [editor.client, '403 permission denied: does not have sufficient role'],
        [author.client, '400 id must be 24 hexadecimal characters'],
      ];
      for (const [client, expected] of steps) {
        expect(await refusal(client, path, BAD_BODY)).toBe(expected);
      }
    });

    it('should check the body before existence and ownership', async () => {
      const { _id } = await blogIn('in review', author, editor);
      for (const [client, id] of [
        [author.client, unknownId()],
        [other.client, _id],
        [author.client, _id],
      ] as const) {
        expect(await refusal(client, `/blog/author/id/${id}`, BAD_BODY)).toMatch(
          /^422 validation error: title /,
        );
      }
    });

    it('should check ownership before revision and state', async () => {
      const { _id } = await blogIn('in review', author, editor);
      const path = `/blog/author/id/${_id}`;
      const body = { title: 'Another title' };
      const stale = { 'if-match': '"999"' };
      expect(await refusal(other.client, path, body, stale)).toBe('404 blog not found');
      expect(await refusal(author.client, path, body)).toBe(
        '400 blog is under review: withdraw it first',
      );
    });

    it('should report all errors of a query together', async () => {
      const { status, body } = await author.client.get('/blog/author/drafts?page=0&limit=1000');
      expect(status).toBe(400);
      expect(body.message).toContain('page must be');
      expect(body.message).toContain('limit must be');
    });
  });
});
