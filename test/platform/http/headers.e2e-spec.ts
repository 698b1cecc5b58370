import { beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { json, send, type RawAnswer, type RawRequest } from './raw-http.js';

const KEY = { 'x-api-key': API_KEY };
const EXPOSED = 'ETag, Link, x-total-count, x-request-id, Retry-After, instruction';
const NEW_ID = /^[A-Za-z0-9_-]{12}-[0-9a-z]+$/;

type ResponseCase = readonly [label: string, path: string, request: RawRequest, status: number];

/** A request for each source of a response: handler, filter, router, parser, operator route. */
const RESPONSE_CASES: readonly ResponseCase[] = [
  ['a success', '/auth/verify/apikey', { headers: KEY }, 200],
  ['a refusal of a guard', '/blogs/latest', {}, 401],
  ['a bad query', '/blogs/latest?page=0', { headers: KEY }, 400],
  ['a bad body', '/contact', json('{}', KEY), 422],
  ['malformed JSON', '/contact', json('{', KEY), 400],
  ['another type', '/contact', { method: 'POST', body: 'x', headers: KEY }, 415],
  ['an unknown path', '/nowhere', {}, 404],
  ['another method', '/health', { method: 'DELETE' }, 405],
  ['an undecodable path', '/blog/slug/%', {}, 400],
  ['an over-long path', `/blog/slug/${'a'.repeat(3_000)}`, { headers: KEY }, 404],
  ['health', '/health', {}, 200],
  ['the public keys', '/.well-known/jwks.json', {}, 200],
  ['the description', '/openapi.json', {}, 200],
  ['the docs page', '/docs', {}, 200],
];

/** A response that replaces `no-store`. */
const PUBLIC_READ: ResponseCase = ['a public read', '/blogs/latest', { headers: KEY }, 200];

describe('Headers of every response', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  describe('x-request-id', () => {
    it.each([
      'a',
      '0',
      'A-Za-z_0.9',
      '66f1a2b3-c4d5-4e6f-8071-92a3b4c5d6e7',
      '...',
      'x'.repeat(64),
    ])('should be that of the request: %s', async (id) => {
      const { headers } = await send(server.url, '/health', { headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toBe(id);
    });

    it.each([
      '',
      ' ',
      'x'.repeat(65),
      'a b',
      'a,b',
      'a/b',
      'a:b',
      'a"b',
      '<script>',
      '${jndi:ldap://x}',
      '\u00e9',
      'a\tb',
      ['a', 'b'],
    ])('should be new instead of %j', async (id) => {
      const { headers } = await send(server.url, '/health', { headers: { 'x-request-id': id } });
      expect(headers['x-request-id']).toMatch(NEW_ID);
    });

    it('should be unique for requests without one', async () => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => send(server.url, '/health')),
      );
      expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(5);
    });

    it.each([...RESPONSE_CASES, PUBLIC_READ])(
      'should be on %s',
      async (_label, path, options, status) => {
        const headers = { ...options.headers, 'x-request-id': 'mine' };
        const answer = await send(server.url, path, { ...options, headers });
        expect(answer.status).toBe(status);
        expect(answer.headers['x-request-id']).toBe('mine');
      },
    );
  });

  describe('caching and sniffing', () => {
    it.each(RESPONSE_CASES.filter(([, path]) => !path.startsWith('/docs')))(
      'should be disabled on %s',
      async (_label, path, options) => {
        const { headers } = await send(server.url, path, options);
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
      },
    );

    it('should be no-store for a signed-in caller', async () => {
      const { accessToken } = await person(server);
      const authorization = `Bearer ${accessToken}`;
      const options = { headers: { ...KEY, authorization } };
      expect((await send(server.url, '/profile/mine', options)).headers['cache-control']).toBe(
        'no-store',
      );
    });

    it('should be no-cache on a public read', async () => {
      const [, path, options] = PUBLIC_READ;
      const { headers } = await send(server.url, path, options);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache',
      });
    });

    it('should not have the headers of the docs page', async () => {
      const { headers } = await send(server.url, '/health');
      expect(Object.keys(headers).sort()).toEqual([
        'access-control-allow-origin',
        'access-control-expose-headers',
        'cache-control',
        'connection',
        'content-length',
        'content-type',
        'date',
        'keep-alive',
        'x-content-type-options',
        'x-request-id',
      ]);
    });
  });
});

describe('CORS', () => {
  const LISTED = 'https://www.example.org';
  const SECOND = 'http://localhost:5173';
  const UNLISTED = 'https://unlisted.example';
  let any: TestApp;
  let listed: TestApp;
  let none: TestApp;

  beforeAll(async () => {
    any = await startApp({ env: { CORS_ORIGINS: '*' } });
    listed = await startApp({ uri: any.uri, env: { CORS_ORIGINS: `${LISTED}, ${SECOND}` } });
    none = await startApp({ uri: any.uri, env: { NODE_ENV: 'production', DOCS: 'on' } });
  });

  function from(origin: string, options: RawRequest = {}): RawRequest {
    return { ...options, headers: { ...options.headers, origin } };
  }

  function preflight(server: TestApp, path: string, origin: string): Promise<RawAnswer> {
    return send(server.url, path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization, content-type, x-api-key',
      },
    });
  }

  describe.each([...RESPONSE_CASES, PUBLIC_READ])('on %s', (_label, path, options) => {
    it('should allow any origin with *', async () => {
      const { headers } = await send(any.url, path, from(UNLISTED, options));
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toBe(EXPOSED);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    });

    it('should allow listed origins, with `Vary: Origin`', async () => {
      for (const origin of [LISTED, SECOND]) {
        const { headers } = await send(listed.url, path, from(origin, options));
        expect(headers['access-control-allow-origin']).toBe(origin);
        expect(headers['access-control-expose-headers']).toBe(EXPOSED);
        expect(headers.vary).toMatch(/^Origin\b/);
      }
    });

    it('should allow no origin that is not listed', async () => {
      for (const origin of [UNLISTED, 'null', `${LISTED}.evil.example`, 'https://example.org']) {
        const { headers } = await send(listed.url, path, from(origin, options));
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(headers['access-control-expose-headers']).toBeUndefined();
        expect(headers.vary).toMatch(/^Origin\b/);
      }
      const { headers } = await send(listed.url, path, options);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers.vary).toMatch(/^Origin\b/);
    });

    it('should allow no origin by default in production', async () => {
      const { headers } = await send(none.url, path, from(LISTED, options));
      const names = Object.keys(headers).filter((name) => name.startsWith('access-control'));
      expect(names).toEqual([]);
      expect(headers.vary ?? '').not.toContain('Origin');
    });
  });

  describe('preflight', () => {
    it.each([
      '/blog/author/id/66f1a2b3c4d5e6f708192a3b',
      '/auth/signin/basic',
      '/admin/users',
      '/x',
    ])('should be accepted for %s without a key', async (path) => {
      const { status, text, headers } = await preflight(any, path, UNLISTED);
      expect([status, text]).toEqual([204, '']);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
        'access-control-max-age': '7200',
      });
      const allowed = String(headers['access-control-allow-headers']).split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          'authorization',
          'content-type',
          'x-api-key',
          'if-match',
          'idempotency-key',
        ]),
      );
    });

    it('should allow a listed origin, with `Vary: Origin`', async () => {
      const { status, headers } = await preflight(listed, '/blogs/latest', SECOND);
      expect(status).toBe(204);
      expect(headers['access-control-allow-origin']).toBe(SECOND);
      expect(headers.vary).toBe('Origin');
    });

    it('should allow no other origin', async () => {
      const { headers } = await preflight(listed, '/blogs/latest', UNLISTED);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers.vary).toBe('Origin');
    });

    it('should be an unknown method without configured origins', async () => {
      const { status, headers } = await preflight(none, '/blogs/latest', LISTED);
      expect(status).toBe(405);
      expect(headers.allow).toBe('GET, HEAD');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });
  });
});
