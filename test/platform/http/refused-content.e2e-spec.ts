import { beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { expectRefusal, json, send, type RawAnswer, type RawRequest } from './raw-http.js';

const KEY = { 'x-api-key': API_KEY };

describe('Bodies with a wrong size or type', () => {
  let server: TestApp;
  let author: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startApp();
    const { accessToken } = await person(server, 'AUTHOR');
    author = { ...KEY, authorization: `Bearer ${accessToken}` };
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
});
