import { beforeAll, describe, expect, it } from '@jest/globals';
import { person } from '../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { json, send, type RawAnswer, type RawRequest } from './raw-http.js';

const KEY = { 'x-api-key': API_KEY };
const EXPOSED = 'ETag, Link, x-total-count, x-request-id, Retry-After, instruction';

type ResponseCase = readonly [label: string, path: string, request: RawRequest, status: number];

/** A request for each source of a response: handler, filter, router, parser, operator route. */
const RESPONSE_CASES: readonly ResponseCase[] = [
  ['a success', '/auth/verify/apikey', { headers: KEY }, 200],
  ['a refusal of a guard', '/blogs/latest', {}, 401],
  ['a bad query', '/blogs/latest?page=0', { headers: KEY }, 400],
  ['a bad body', '/contact', json('{}', KEY), 422],
  ['malformed JSON', '/contact', json('{', KEY), 400],
  ['another content type', '/contact', { method: 'POST', body: 'x', headers: KEY }, 415],
  ['an unknown path', '/nowhere', {}, 404],
  ['another method', '/health', { method: 'DELETE' }, 405],
  ['an undecodable path', '/blog/slug/%', {}, 400],
  ['an over-long path', `/blog/slug/${'a'.repeat(3_000)}`, { headers: KEY }, 404],
  ['health', '/health', {}, 200],
  ['the public keys', '/.well-known/jwks.json', {}, 200],
  ['the description', '/openapi.json', {}, 200],
  ['the docs page', '/docs', {}, 200],
];

/** A response with another `cache-control` than `no-store`. */
const PUBLIC_READ: ResponseCase = ['a public read', '/blogs/latest', { headers: KEY }, 200];

/** A server that allows every origin, which is the default outside of production. */
let server: TestApp;

beforeAll(async () => {
  server = await startApp();
});

describe('Headers of every response', () => {
  it.each([...RESPONSE_CASES, PUBLIC_READ])(
    'should have the request id that was sent, nosniff and cache-control on %s',
    async (_label, path, options, status) => {
      const sent = { ...options.headers, 'x-request-id': 'A-Za-z_0.9' };
      const { status: received, headers } = await send(server.url, path, {
        ...options,
        headers: sent,
      });
      expect([received, headers['x-request-id']]).toEqual([status, 'A-Za-z_0.9']);
      // The docs page is a static file with another `cache-control`; pages.e2e-spec.ts tests its headers.
      if (path === '/docs') return;
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': path === PUBLIC_READ[1] && status === 200 ? 'no-cache' : 'no-store',
      });
    },
  );

  it('should include no-store for a signed-in caller', async () => {
    const { accessToken } = await person(server);
    const authorization = `Bearer ${accessToken}`;
    const options = { headers: { ...KEY, authorization } };
    expect((await send(server.url, '/profile/mine', options)).headers['cache-control']).toBe(
      'no-store',
    );
  });

  it('should not include the headers of the docs page', async () => {
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

describe('CORS', () => {
  const LISTED = 'https://www.example.org';
  const ALSO_LISTED = 'http://localhost:5173';
  const UNLISTED = 'https://unlisted.example';
  let withOrigins: TestApp;
  let withoutOrigins: TestApp;

  beforeAll(async () => {
    withOrigins = await startApp({
      uri: server.uri,
      env: { CORS_ORIGINS: `${LISTED}, ${ALSO_LISTED}` },
    });
    withoutOrigins = await startApp({
      uri: server.uri,
      env: { NODE_ENV: 'production', DOCS: 'on' },
    });
  });

  function from(origin: string, options: RawRequest = {}): RawRequest {
    return { ...options, headers: { ...options.headers, origin } };
  }

  function preflight({ url }: TestApp, path: string, origin: string): Promise<RawAnswer> {
    return send(url, path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization, content-type, x-api-key',
      },
    });
  }

  it.each([...RESPONSE_CASES, PUBLIC_READ])(
    'should allow only the origins of CORS_ORIGINS on %s',
    async (_label, path, options) => {
      const { headers: open } = await send(server.url, path, from(UNLISTED, options));
      expect(open['access-control-allow-origin']).toBe('*');
      expect(open['access-control-expose-headers']).toBe(EXPOSED);
      expect(open['access-control-allow-credentials']).toBeUndefined();

      const evil = `${LISTED}.evil.example`;
      for (const origin of [LISTED, ALSO_LISTED, UNLISTED, 'null', evil, null]) {
        const request = origin === null ? options : from(origin, options);
        const { headers } = await send(withOrigins.url, path, request);
        const isListed = origin === LISTED || origin === ALSO_LISTED;
        expect(headers['access-control-allow-origin']).toBe(isListed ? origin : undefined);
        expect(headers['access-control-expose-headers']).toBe(isListed ? EXPOSED : undefined);
        expect(headers.vary).toMatch(/^Origin\b/);
      }

      // Without CORS_ORIGINS, production allows no origin.
      const { headers: closed } = await send(withoutOrigins.url, path, from(LISTED, options));
      expect(Object.keys(closed).join()).not.toContain('access-control');
      expect(closed.vary ?? '').not.toContain('Origin');
    },
  );

  describe('preflight', () => {
    it.each(['/blog/author/id/66f1a2b3c4d5e6f708192a3b', '/x'])(
      'should be accepted for %s without a key',
      async (path) => {
        const { status, text, headers } = await preflight(server, path, UNLISTED);
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
      },
    );

    it('should allow listed origins only', async () => {
      for (const origin of [ALSO_LISTED, UNLISTED]) {
        const { status, headers } = await preflight(withOrigins, '/blogs/latest', origin);
        expect(status).toBe(204);
        const allowed = origin === ALSO_LISTED ? ALSO_LISTED : undefined;
        expect(headers['access-control-allow-origin']).toBe(allowed);
        expect(headers.vary).toBe('Origin');
      }
    });

    it('should be refused as an unknown method if no origins are configured', async () => {
      const { status, headers } = await preflight(withoutOrigins, '/blogs/latest', LISTED);
      expect(status).toBe(405);
      expect(headers.allow).toBe('GET, HEAD');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });
  });
});
